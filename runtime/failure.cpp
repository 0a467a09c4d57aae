// SPDX-License-Identifier: Apache-2.0
#include "failure.h"

#include "carrier.h"
#include "real.h"
#include "recorder.h"
#include "scheduler.h"
#include "server.h"
#include "support.h"

namespace heddle::rt {

constexpr int kAborted = 134;  // as a shell reports abort

void finish_run(HeddleOutcome outcome, uint64_t detail, const char* text) {
  g.active = false;
  if (g.detached) real.exit_now(outcome == HEDDLE_OUTCOME_EXIT ? static_cast<int>(detail) : kAborted);
  HeddleRecord end = {};
  end.kind = HEDDLE_FRAME_RUN_END;
  end.flags = text != nullptr;
  end.thread = g.current ? g.current->number : HEDDLE_NO_THREAD;
  end.value = outcome;
  end.value2 = detail;
  append(end);
  if (text) append_text(end.thread, 0, text);
  g.finished = true;
  carrier_finish();
}

void fail(HeddleFailure failure, uint64_t address, uint64_t detail, const char* text) {
  Thread& self = *g.current;
  g.event_limit = 0;  // the failure itself is always recorded
  record(self, HEDDLE_FAIL, 0, 0, 0, self.site, address, failure, detail);
  if (text) append_text(self.number, self.index, text);
  finish_run(HEDDLE_OUTCOME_FAILURE, failure, text);
}

void bad_input(const char* what) { finish_run(HEDDLE_OUTCOME_UNSUPPORTED, HEDDLE_UNSUPPORTED_INPUT, what); }

void unsupported(const char* what) {
  finish_run(HEDDLE_OUTCOME_UNSUPPORTED, 0, what);
}

void misuse(uint64_t address, const char* what) { fail(HEDDLE_FAILURE_MISUSE, address, 0, what); }

}  // namespace heddle::rt
