// SPDX-License-Identifier: Apache-2.0
//
// Is an order possible in which reads find other values than in the trace? Memory
// is replayed byte by byte: what came before the window as it was, then the plan.
// A read takes what is there, a write writes what its term comes to, and every
// condition of a thread must hold when the thread gets there. Shares nothing with
// the question that found the order; whether locks and threads allow it is
// Witness's business.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "causal/execution.h"
#include "property/plan.h"
#include "symbolic/walk_trace.h"
#include "trace/trace.h"

namespace heddle::predict {

// Events [0, begin) of the trace as they were, then the plan, after which the operations `next` are next and the
// conditions that lead to them hold; for the one that is `exact`, also those on what it reads itself. Empty, or why it
// is not possible.
std::string check_values(const trace::Trace& trace, const symbolic::WalkedTrace& recipe, size_t begin,
                         std::span<const property::PlannedStep> plan, std::span<const causal::EventId> next,
                         std::optional<causal::EventId> exact);

// The same for a point in the middle of a thread: its conditions before number `conditions` hold, and `wanted`.
std::string check_values(const trace::Trace& trace, const symbolic::WalkedTrace& recipe, size_t begin,
                         std::span<const property::PlannedStep> plan, uint32_t thread, size_t conditions,
                         solve::Term wanted);

}  // namespace heddle::predict
