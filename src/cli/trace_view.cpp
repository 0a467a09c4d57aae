// SPDX-License-Identifier: Apache-2.0
//
// heddle trace dump, stats, validate, diff, export.
#include "cli/trace_view.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "naming/canonical_text.h"
#include "naming/names.h"
#include "trace/diff.h"
#include "trace/export_perfetto.h"
#include "trace/export_std.h"
#include "trace/reader.h"
#include "trace/stats.h"
#include "trace/text.h"
#include "trace/validate.h"

namespace heddle::cli {
namespace {

struct Options {
  std::string first;
  std::string second;
  std::string format = "perfetto";
  bool raw = false;
  bool salvage = false;
  bool any_order = false;
};

base::Result<trace::Trace> read(const std::string& path, const Options& options) {
  trace::ReadOptions how;
  how.salvage = options.salvage;
  return trace::read_trace(path, how);
}

int dump(const Options& options) {
  auto trace = read(options.first, options);
  if (!trace) return report(trace.error());
  if (options.raw) {
    trace::write_text(*trace, say_text);
  } else {
    say_text(naming::canonical_text(*trace));
  }
  return kNothingFound;
}

int stats(const Options& options) {
  auto trace = read(options.first, options);
  if (!trace) return report(trace.error());
  say_text(trace::stats_text(*trace, trace::collect_stats(*trace)));
  return kNothingFound;
}

int check(const Options& options) {
  auto trace = read(options.first, options);
  if (!trace) return report(trace.error());
  const auto problems = trace::validate(*trace);
  if (problems.empty()) {
    say("{}: {} events, valid{}\n", options.first, trace->events.size(), trace->complete ? "" : ", breaks off");
    return kNothingFound;
  }
  say_text(trace::problems_text(*trace, problems));
  return kBadInput;
}

int diff(const Options& options) {
  auto first = read(options.first, options);
  if (!first) return report(first.error());
  auto second = read(options.second, options);
  if (!second) return report(second.error());
  trace::DiffOptions how;
  how.ignore_sequence = options.any_order;
  const naming::Names first_names(*first), second_names(*second);
  how.first_namer = [&](const trace::Event& event, uint64_t address) { return first_names.object_at(event, address); };
  how.second_namer = [&](const trace::Event& event, uint64_t address) {
    return second_names.object_at(event, address);
  };
  const auto difference = trace::compare(*first, *second, how);
  if (difference.equal()) return kNothingFound;
  say_text(trace::difference_text(*first, *second, difference, how));
  return kFinding;
}

int write_other_format(const Options& options) {
  auto trace = read(options.first, options);
  if (!trace) return report(trace.error());
  if (options.format == "std") {
    auto exported = trace::export_std(*trace, say_text);
    if (!exported) return report(exported.error());
    for (const auto& [kind, count] : exported->left_out)
      tell("heddle: left out, the format has no word for it: {} {}\n", count, kind);
  } else {
    const naming::Names names(*trace);
    trace::export_perfetto(
        *trace, say_text, [&](const trace::Event& event, uint64_t address) { return names.object_at(event, address); });
  }
  return kNothingFound;
}

}  // namespace

void add_trace_view(CLI::App& trace, Action& action) {
  const auto add = [&](const char* name, const char* help, int (*function)(const Options&), HelpText text) {
    auto options = std::make_shared<Options>();
    CLI::App* command = trace.add_subcommand(name, help);
    command->add_option("trace", options->first, "trace file, binary or text")->required()->type_name("FILE");
    command->add_flag("--salvage", options->salvage, "take what is whole of a damaged file");
    set_help(*command, std::move(text));
    command->callback([options, function, &action] { action = [options, function] { return function(*options); }; });
    return std::pair(command, options);
  };
  const auto [dump_command, dump_options] =
      add("dump", "print a trace, one event a line", dump,
          {{{"heddle trace dump run.trace", ""}, {"heddle trace dump --raw run.trace > run.txt", "can be read back"}},
           "",
           "0 printed, 3 bad input"});
  dump_command->add_flag("--raw", dump_options->raw, "addresses as numbers; this form can be read back");
  add("stats", "count what is in a trace", stats,
      {{{"heddle trace stats run.trace", ""}}, "", "0 printed, 3 bad input"});
  add("validate", "check that a trace makes sense", check,
      {{{"heddle trace validate run.trace", ""}}, "", "0 it does, 3 it does not, or cannot be read"});
  const auto [diff_command, diff_options] =
      add("diff", "compare two traces", diff,
          {{{"heddle trace diff run.trace run.trace", ""},
            {"heddle trace diff --any-order run.trace other.trace", "what threads did, whoever came first"}},
           "",
           "0 equal, 1 different, 3 bad input"});
  diff_command->add_option("other", diff_options->second, "trace to compare with")->required()->type_name("FILE");
  diff_command->add_flag("--any-order", diff_options->any_order,
                         "compare what threads did, not how they were interleaved");
  const auto [export_command, export_options] =
      add("export", "write a trace in another format", write_other_format,
          {{{"heddle trace export run.trace > run.json", "for ui.perfetto.dev"},
            {"heddle trace export --to=std run.trace > run.std", "for RAPID"}},
           "",
           "0 written, 3 bad input"});
  export_command->add_option("--to", export_options->format, "perfetto (Chrome JSON) or std (RAPID)")
      ->check(CLI::IsMember({"perfetto", "std"}))
      ->capture_default_str();
}

}  // namespace heddle::cli
