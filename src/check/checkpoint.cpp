// SPDX-License-Identifier: Apache-2.0
#include "check/checkpoint.h"

#include "check/checkpoint_file.h"
#include "check/reduction_names.h"
#include "schedule/memory_model.h"

namespace heddle::check {
namespace {

// Options that decide what is explored. Limits, workers and what is shown are not among them.
std::string options_text(const Options& options) {
  std::string text =
      std::string("memory=") + schedule::memory_model_name(options.memory) +
      " reduce=" + reduction_name(options.reduction) + " search=" + std::to_string(static_cast<int>(options.search)) +
      " solver=" + std::to_string(static_cast<int>(options.solver)) + " seed=" + std::to_string(options.seed) +
      " races=" + std::to_string(options.races) + " keep-going=" + std::to_string(options.keep_going) +
      " merge=" + std::to_string(options.merge) + " symmetry=" + std::to_string(options.symmetry) +
      " shorten=" + std::to_string(options.shorten) + " bound-loops=" + std::to_string(options.bound_loops) +
      " context-bound=" + (options.context_bound ? std::to_string(*options.context_bound) : "none") +
      " limit=" + std::to_string(options.event_limit) + " reuse=" + std::to_string(options.reuses_addresses) +
      " fail-on-exit=" + (options.any_exit_fails ? "any" : "");
  for (const int code : options.failing_exits) text += std::to_string(code) + ",";
  return text;
}

std::string program_text(const execute::Subject& subject) {
  std::string text = subject.module_hash;
  for (const std::string& argument : subject.arguments) text += '\0' + argument;
  return text;
}

void save_tables(const CheckpointParts& parts, base::ByteWriter& out) {
  out.number(parts.threads.size());
  for (causal::ThreadId thread = 1; thread < parts.threads.size(); ++thread)
    out.text(parts.threads.name(thread).text());
  out.plain(parts.histories.entries());
}

void restore_tables(const CheckpointParts& parts, base::ByteReader& in) {
  for (size_t left = in.count(); left > 1; --left) {
    const auto name = schedule::ThreadName::parse(in.text());
    if (!name || name->is_main()) in.fail();
    if (in.failed()) return;
    parts.threads.child_of(parts.threads.id_of(name->parent()), name->path().back());
  }
  for (const causal::Histories::Entry& entry : in.plain<causal::Histories::Entry>())
    if (!parts.histories.insert(entry)) in.fail();
}

}  // namespace

base::Result<bool> save_checkpoint(const std::string& path, const CheckpointParts& parts) {
  CheckpointSections sections;
  sections.add([&parts](base::ByteWriter& out) {
    out.text(parts.options.checkpoint_note);
    out.text(program_text(parts.subject));
    out.text(options_text(parts.options));
    save_tables(parts, out);
  });
  sections.add([&parts](base::ByteWriter& out) {
    parts.books.save(out);
    parts.races.save_races(out);
  });
  if (!parts.source.save(sections)) return false;
  if (auto written = write_checkpoint_file(path, sections, parts.options.jobs); !written) return written.error();
  return true;
}

base::Result<void> restore_checkpoint(const std::string& path, const CheckpointParts& parts) {
  auto bytes = read_checkpoint_file(path);
  if (!bytes) return bytes.error();
  base::ByteReader in(*bytes);
  in.text();  // the note
  if (in.text() != program_text(parts.subject))
    return base::Error{path + " was made by a check of another program, or with other arguments",
                       "check the program as it was, or start from the beginning"};
  if (const std::string before = in.text(), now = options_text(parts.options); before != now)
    return base::Error{path + " was made with other options:\n  then " + before + "\n  now  " + now,
                       "leave out options to resume with those of the run"};
  restore_tables(parts, in);
  parts.books.restore(in);
  parts.races.restore_races(in);
  parts.source.restore(in);
  if (in.failed() || !in.at_end()) return base::Error{path + " makes no sense", "start the check from the beginning"};
  return {};
}

base::Result<std::string> read_checkpoint_note(const std::string& path) {
  auto bytes = read_checkpoint_file(path);
  if (!bytes) return bytes.error();
  base::ByteReader in(*bytes);
  return in.text();
}

}  // namespace heddle::check
