// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heddle::cli {

constexpr int kNothingFound = 0;
constexpr int kFinding = 1;
constexpr int kUsage = 2;
constexpr int kBadInput = 3;
constexpr int kUndecided = 4;
constexpr int kInternal = 70;
constexpr int kAnswerLost = 74;  // it could not be printed
constexpr int kInterrupted = 130;

}  // namespace heddle::cli
