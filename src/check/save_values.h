// SPDX-License-Identifier: Apache-2.0
//
// Small values of a checkpoint as bytes and back.
#pragma once

#include "base/bytes.h"
#include "gaps/gap.h"
#include "solve/order_problem.h"

namespace heddle::check {

// Times are kept in microseconds.
inline void save_seconds(double seconds, base::ByteWriter& out) { out.number(static_cast<uint64_t>(seconds * 1e6)); }
inline double restore_seconds(base::ByteReader& in) { return 1e-6 * static_cast<double>(in.number()); }

inline void save_gaps(const gaps::Gaps& gaps, base::ByteWriter& out) {
  out.number(gaps.size());
  for (const gaps::Gap& gap : gaps) {
    out.number(gap.kind);
    out.text(gap.detail);
  }
}

inline gaps::Gaps restore_gaps(base::ByteReader& in) {
  gaps::Gaps gaps;
  for (size_t left = in.count(2); left > 0; --left) {
    const uint64_t kind = in.number();
    if (!*heddle_gap_code(kind)) in.fail();
    gaps.add({static_cast<HeddleGap>(kind), in.text()});
  }
  return gaps;
}

inline void save_statistics(const solve::Statistics& solved, base::ByteWriter& out) {
  for (const uint64_t number :
       {solved.queries, solved.decided_without_search, solved.unknown, solved.constraints, solved.reads})
    out.number(number);
  save_seconds(solved.seconds, out);
}

inline solve::Statistics restore_statistics(base::ByteReader& in) {
  solve::Statistics solved;
  for (uint64_t* number :
       {&solved.queries, &solved.decided_without_search, &solved.unknown, &solved.constraints, &solved.reads})
    *number = in.number();
  solved.seconds = restore_seconds(in);
  return solved;
}

}  // namespace heddle::check
