// SPDX-License-Identifier: Apache-2.0
//
// From the dependence graph to the table of sites: for every site, which sites
// give values that it may depend on. Cycles of the graph become one node, then
// sets of sites flow along the edges, 512 sites at a time.
#pragma once

#include "program/dependence/program_dependence.h"
#include "program/site_dependence.h"

namespace heddle::program {

SiteDependence close_over_sites(const ProgramDependence& dependence);

}  // namespace heddle::program
