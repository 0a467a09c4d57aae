// SPDX-License-Identifier: Apache-2.0
#include "build/program_view.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <ctime>
#include <unordered_map>

#include "build/models.h"
#include "build/runtime_library.h"
#include "build/target.h"
#include "pass/instrument.h"
#include "program/dependence/make_view.h"
#include "program/dependence/program_dependence.h"
#include "program/dependence/site_closure.h"
#include "program/whole_program_llvm.h"

namespace heddle::build {

namespace {

double cpu_seconds_since(std::clock_t begin) { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; }

}  // namespace

base::Result<ProgramView> view_program(program::WholeProgram program, ViewDepth depth) {
  auto runtime = runtime_library(Runtime::kControlled);
  if (!runtime) return runtime.error();
  if (auto prepared = prepare_module(program.module(), *runtime); !prepared) return prepared.error();
  ProgramView view;
  std::unordered_map<uint32_t, std::string> kinds;
  pass::InstrumentOptions options;
  options.inspect = [&](const pass::NumberedModule& numbered) {
    for (const llvm::Function& function : numbered.module)
      for (const llvm::Instruction& instruction : llvm::instructions(function))
        kinds[numbered.site(instruction)] = program::instruction_text(instruction);
    if (depth == ViewDepth::kSites) return;
    const std::clock_t begin = std::clock();
    const program::ProgramDependence dependence =
        program::find_dependences(numbered.module, {numbered.site, numbered.is_private}, is_open(program));
    view.seconds = cpu_seconds_since(begin);
    view.graph = program::make_view(dependence.graph);
    if (depth == ViewDepth::kGraph) return;
    const std::clock_t table_begin = std::clock();
    const program::SiteDependence table = program::close_over_sites(dependence);
    view.table_seconds = cpu_seconds_since(table_begin);
    view.table_sites = table.sites().size();
    view.table_bytes = table.to_bytes().size();
  };
  auto report = pass::instrument(program.module(), options);
  if (!report) return report.error();
  for (const pass::SitePlace& place : report->places)
    view.sites.push_back(
        {place.site, kinds[place.site], {place.file, place.line, place.column, place.function, place.variable}});
  return view;
}

}  // namespace heddle::build
