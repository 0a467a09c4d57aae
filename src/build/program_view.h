// SPDX-License-Identifier: Apache-2.0
//
// What the static analysis knows about a program, for people to look at: its
// sites, and its dependence graph. The module is prepared as for a target, so
// the numbers of sites are those of traces.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "program/dependence_view.h"
#include "program/whole_program.h"
#include "trace/trace.h"

namespace heddle::build {

struct SiteLine {
  uint32_t number = 0;
  std::string kind;  // "load", "call pthread_join"
  trace::Site site;
};

struct ProgramView {
  std::vector<SiteLine> sites;  // instrumented ones, ascending
  program::DependenceView graph;
  double seconds = 0;  // CPU time that finding the graph took
  // The table of sites that a check uses (program/site_dependence.h).
  size_t table_sites = 0, table_bytes = 0;
  double table_seconds = 0;
};

enum class ViewDepth { kSites, kGraph, kGraphAndTable };

// Uses up the program's module.
base::Result<ProgramView> view_program(program::WholeProgram program, ViewDepth depth);

}  // namespace heddle::build
