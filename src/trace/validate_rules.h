// SPDX-License-Identifier: Apache-2.0
//
// The shape of a rule of validate.h: it is shown every event once and reports
// what it finds wrong.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trace/trace.h"
#include "trace/validate.h"

namespace heddle::trace {

class Rule {
 public:
  virtual ~Rule() = default;
  virtual const char* name() const = 0;
  // In which order a rule sees events: as they stand, or only those that are
  // ordered between threads, in that order.
  virtual bool wants_total_order() const = 0;
  // Returns what is wrong with the event, or an empty text.
  virtual std::string take(const Event& event) = 0;
};

std::unique_ptr<Rule> make_table_rule(const Trace& trace);
std::unique_ptr<Rule> make_index_rule(const Trace& trace);
std::unique_ptr<Rule> make_order_rule(const Trace& trace);
std::unique_ptr<Rule> make_thread_life_rule(const Trace& trace);
std::unique_ptr<Rule> make_thread_order_rule(const Trace& trace);
std::unique_ptr<Rule> make_lock_rule(const Trace& trace);
std::unique_ptr<Rule> make_memory_rule(const Trace& trace);

}  // namespace heddle::trace
