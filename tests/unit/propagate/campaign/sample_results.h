// SPDX-License-Identifier: Apache-2.0
//
// Made-up results of experiments: every field depends on the id.
#pragma once

#include <string>

#include "propagate/experiment.h"

namespace heddle::propagate {

inline ExperimentResult sample_result(uint64_t id) {
  const std::string number = std::to_string(id);
  ExperimentResult result;
  result.id = id;
  result.fault = id % 2 ? "bitflip" : "mallsize";
  result.thread = "T0." + number;
  result.index = id * 1000 + 7;
  result.place = "dir/file \"" + number + "\".c:12:3";
  result.function = "work,\n" + number;
  result.instruction = "load";
  result.detail = std::string("bit\0 ", 5) + number;
  result.outcome = kOutcomes[id % kOutcomes.size()];
  result.reason = id % 4 ? "standard output is another one" : "";
  result.injected = id % 3 != 0;
  result.deviated = id % 3 == 1;
  result.instructions_until_deviation = id * 3;
  result.first_deviation = "{\"T0\":" + number + "}";
  result.objects = "[\"heap T0#" + number + "\"]";
  result.functions = "[\"f\"]";
  result.threads_reached = "[]";
  result.crossings = "";
  result.propagation = "{\"events\":[],\"left_out\":" + number + "}";
  result.instructions = 0x7fff'ffff'ffff'0000 + id;
  result.seconds = 0.001 * static_cast<double>(id) + 1.0 / 3;
  return result;
}

}  // namespace heddle::propagate
