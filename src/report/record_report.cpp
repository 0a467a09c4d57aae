// SPDX-License-Identifier: Apache-2.0
#include "report/record_report.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstring>

#include "base/files.h"
#include "report/counted.h"
#include "report/result_json.h"

namespace heddle::report {

namespace {

struct Told {
  std::string kind;  // empty: no failure
  std::string message;
  std::string thread;
  const trace::Site* site = nullptr;
};

const trace::Site* site_of(const RecordReport& report, uint32_t number) {
  if (!report.sites || number == 0 || number >= report.sites->size()) return nullptr;
  const trace::Site& site = (*report.sites)[number];
  return site.file.empty() && site.function.empty() ? nullptr : &site;
}

std::string place_text(const trace::Site& site) {
  return site.file.empty() ? site.function : fmt::format("{}:{} in {}", site.file, site.line, site.function);
}

Told tell(const RecordReport& report) {
  Told told;
  const record::RecordedRun& run = report.run;
  if (!is_failure(run)) return told;
  const record::Recording* recording = report.recording;
  if (run.ending == record::Ending::kTimedOut) {
    told.kind = "hang";
    told.message = fmt::format("the program was still running after {:.1f} s and was killed", run.seconds);
  } else if (run.ending == record::Ending::kExited) {
    told.kind = "exit-code";
    told.message = fmt::format("the program ended with code {}", run.status);
  } else {
    const bool asked = run.status == SIGTERM || run.status == SIGINT || run.status == SIGKILL || run.status == SIGHUP ||
                       run.status == SIGQUIT;
    told.kind = run.status == SIGABRT ? "abort" : asked ? "stopped" : "crash";
    told.message = fmt::format("the program was ended by signal {} ({})", run.status, ::strsignal(run.status));
  }
  if (!recording || !recording->failure) return told;
  const record::Failure& failure = *recording->failure;
  told.thread = recording->threads[failure.thread].name;
  told.site = site_of(report, failure.site);
  told.message += fmt::format(" in {}", told.thread);
  if (told.site) told.message += fmt::format(", {}", place_text(*told.site));
  if (failure.signal == SIGSEGV || failure.signal == SIGBUS)
    told.message += fmt::format(", address {:#x}", failure.address);
  return told;
}

struct Counts {
  uint64_t threads = 0, branches = 0, notes = 0;
};

Counts count(const record::Recording& recording) {
  Counts counts;
  for (const record::Thread& thread : recording.threads) {
    counts.threads += thread.is_recorded;
    counts.branches += thread.path.size();
    counts.notes += thread.notes.size();
  }
  return counts;
}

Json json_place(const trace::Site& site, const std::string& thread) {
  // Handlers, and threads of which nobody knows who made them, have names of their own in recordings only.
  const bool is_usual = thread.find_first_not_of("T0123456789.") == std::string::npos;
  return {{"file", site.file},
          {"line", site.line},
          {"function", site.function},
          {"thread", is_usual ? thread : "T?"},
          {"stack", Json::array()}};
}

// Where each thread was, when that tells something: they may wait for one another.
Json waiting(const RecordReport& report) {
  Json threads = Json::array();
  for (const record::Thread& thread : report.recording->threads) {
    const trace::Site* site = site_of(report, thread.site);
    if (thread.is_recorded && !thread.ended && !thread.is_handler && site)
      threads.push_back(json_place(*site, thread.name));
  }
  return threads;
}

const char* note_name(record::NoteKind kind) {
  switch (kind) {
    case record::NoteKind::kTarget: return "target";
    case record::NoteKind::kResult: return "result";
    case record::NoteKind::kBytes: return "bytes";
    case record::NoteKind::kEntry: return "entry";
    case record::NoteKind::kCreated: return "created";
    case record::NoteKind::kHandled: return "handled";
    case record::NoteKind::kCore: return "core";
    case record::NoteKind::kStamp: return "stamp";
    case record::NoteKind::kValues: return "values";
  }
  return "?";
}

std::string note_text(const record::Recording& recording, const record::Note& note) {
  std::string text = fmt::format("  {} @{}", note_name(note.kind), note.site);
  switch (note.kind) {
    case record::NoteKind::kTarget:
      text += fmt::format(" {:#x} {}", note.value, recording.function_at(note.value));
      break;
    case record::NoteKind::kResult: text += fmt::format(" {:#x}", note.value); break;
    case record::NoteKind::kBytes: text += fmt::format(" {:#x} {} bytes", note.second, note.bytes.size()); break;
    case record::NoteKind::kEntry:
      text += fmt::format(" {} argument {:#x}", recording.function_at(note.value), note.second);
      break;
    case record::NoteKind::kCreated:
      text +=
          fmt::format(" {} after {} branches",
                      note.value < recording.threads.size() ? recording.threads[note.value].name : "?", note.position);
      break;
    case record::NoteKind::kHandled: text += fmt::format(" signal {}", note.value); break;
    case record::NoteKind::kCore:
      text += fmt::format(" {} after {} branches at {}", note.value, note.position, note.second);
      break;
    case record::NoteKind::kValues: break;
    case record::NoteKind::kStamp: text += fmt::format(" after {} branches at {}", note.position, note.second); break;
  }
  while (text.ends_with(' ')) text.pop_back();
  return text + "\n";
}

}  // namespace

bool is_failure(const record::RecordedRun& run) { return run.ending != record::Ending::kExited || run.status != 0; }

std::string record_json(const RecordReport& report) {
  const record::Recording* recording = report.recording;
  gaps::Gaps gaps;
  if (!report.run.was_recorded) gaps.raise(HEDDLE_GAP_NOT_RECORDED);
  for (size_t i = 0; recording && i < recording->remarks.size(); ++i)
    gaps.raise(recording->stopped && i == 0 ? HEDDLE_GAP_DISK_FULL : HEDDLE_GAP_RECORDING_INCOMPLETE,
               recording->remarks[i]);
  Json result = result_frame("record", gaps.empty() ? "done" : "partial", reasons_of(gaps), report.facts);
  result["recording"] = recording ? Json("recording") : Json(nullptr);
  Json stats = {
      {"seconds", report.run.seconds}, {"cpu_seconds", report.run.cpu_seconds}, {"bytes", report.run.file_bytes}};
  if (recording) {
    const Counts counts = count(*recording);
    stats.update({{"threads", counts.threads},
                  {"branches", counts.branches},
                  {"notes", counts.notes},
                  {"stretches", recording->stretches.size()},
                  {"cores_known", recording->has_cores}});
  }
  result["stats"] = stats;
  const Told told = tell(report);
  if (told.kind.empty()) return result_text(result);
  std::string identity = told.kind + fmt::format("|{}", report.run.status);
  if (told.site)
    identity += fmt::format("|{}|{}:{}|{}", told.thread, told.site->file, told.site->line, told.site->function);
  Json finding = {{"id", base::hash_text(identity)},
                  {"kind", told.kind},
                  {"message", told.message},
                  {"places", Json::array()},
                  {"schedule", nullptr},
                  {"trace", nullptr},
                  {"confirmed", false}};
  if (told.site) finding["places"].push_back(json_place(*told.site, told.thread));
  if (recording && told.kind != "exit-code") finding["threads"] = waiting(report);
  finding[report.run.ending == record::Ending::kExited ? "code" : "signal"] = report.run.status;
  result["findings"].push_back(finding);
  return result_text(result);
}

std::string record_text(const RecordReport& report) {
  std::string text;
  const Told told = tell(report);
  if (!told.kind.empty()) text += fmt::format("heddle: {}\n", told.message);
  if (!report.run.was_recorded)
    text += "heddle: it was not recorded: the program could not map the file of its recording\n";
  if (!report.recording) return text;
  for (const std::string& remark : report.recording->remarks) text += fmt::format("heddle: {}\n", remark);
  if (told.kind == "hang" || told.kind == "stopped")
    for (const record::Thread& thread : report.recording->threads)
      if (const trace::Site* site = site_of(report, thread.site); site && thread.is_recorded && !thread.ended)
        text += fmt::format("heddle:   {} last called at {}\n", thread.name, place_text(*site));
  const Counts counts = count(*report.recording);
  text += fmt::format("heddle: recording in {}: {}, {}, {} KB\n", report.directory,
                      counted(counts.threads, "thread", "threads"), counted(counts.branches, "branch", "branches"),
                      (report.run.file_bytes + 1023) / 1024);
  if (!told.kind.empty())
    text += fmt::format("heddle: to find a schedule that leads there: heddle reproduce {}\n", report.directory);
  text += fmt::format("heddle: to look at it: heddle record --show {}\n", report.directory);
  return text;
}

std::string recording_text(const record::Recording& recording) {
  std::string text = fmt::format("program {} module {}\n", recording.facts.program, recording.facts.module_hash);
  static const char* const kEndings[] = {"unfinished", "exit code", "signal", "killed after a time-out"};
  text += fmt::format("ended {} {}\n", kEndings[static_cast<size_t>(recording.ending)], recording.status);
  if (recording.failure)
    text += fmt::format("failure {} signal {} address {:#x} site @{} in {}\n",
                        recording.threads[recording.failure->thread].name, recording.failure->signal,
                        recording.failure->address, recording.failure->site,
                        recording.function_at(recording.failure->instruction));
  for (const std::string& remark : recording.remarks) text += fmt::format("remark {}\n", remark);
  for (const record::Thread& thread : recording.threads) {
    if (!thread.is_recorded) continue;
    text += fmt::format("thread {}{} branches {} last call @{}\n", thread.name, thread.ended ? " ended" : "",
                        thread.path.size(), thread.site);
    constexpr uint64_t kWidth = 100;
    for (uint64_t i = 0; i < thread.path.size(); ++i) {
      if (i % kWidth == 0) text += "  ";
      text += thread.path[i] ? '1' : '0';
      if (i % kWidth == kWidth - 1 || i + 1 == thread.path.size()) text += '\n';
    }
    for (const record::Note& note : thread.notes) text += note_text(recording, note);
    if (recording.has_values) text += fmt::format("  values of {} reads\n", thread.values.size());
  }
  return text;
}

}  // namespace heddle::report
