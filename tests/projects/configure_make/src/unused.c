/* SPDX-License-Identifier: Apache-2.0 */

/* Nothing refers to this member of the archive, and what it needs is nowhere. */
int provided_by_nobody(void);

int unused(void) { return provided_by_nobody(); }
