/* SPDX-License-Identifier: Apache-2.0
 *
 * Becomes a shared library, built by gcc: objects in the data of a library that Heddle did not compile.
 */
#include "sequence.h"

Object exported_objects[kMostObjects];
