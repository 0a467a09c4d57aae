/* SPDX-License-Identifier: Apache-2.0
 *
 * Versions of what two separately built parts must agree on. Raise one when its
 * meaning changes. */
#ifndef HEDDLE_ABI_VERSION_H
#define HEDDLE_ABI_VERSION_H

#define HEDDLE_VERSION "0.1.0"
#define HEDDLE_INSTRUMENTATION_VERSION 5 /* hooks, numbering of sites and of visible operations */
#define HEDDLE_CHANNEL_VERSION 4         /* channel.h */
#define HEDDLE_SCHEDULE_VERSION 1        /* schedule file */

#endif
