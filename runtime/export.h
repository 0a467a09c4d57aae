// SPDX-License-Identifier: Apache-2.0
//
// What the program and its libraries bind to; all else in a runtime is hidden.
#pragma once

#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))
