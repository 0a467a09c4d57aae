// SPDX-License-Identifier: Apache-2.0
//
// Small values of a checkpoint as bytes and back.
#pragma once

#include <set>
#include <string>

#include "base/bytes.h"
#include "solve/order_problem.h"

namespace heddle::check {

// Times are kept in microseconds.
inline void save_seconds(double seconds, base::ByteWriter& out) { out.number(static_cast<uint64_t>(seconds * 1e6)); }
inline double restore_seconds(base::ByteReader& in) { return 1e-6 * static_cast<double>(in.number()); }

inline void save_texts(const std::set<std::string>& texts, base::ByteWriter& out) {
  out.number(texts.size());
  for (const std::string& text : texts) out.text(text);
}

inline std::set<std::string> restore_texts(base::ByteReader& in) {
  std::set<std::string> texts;
  for (size_t left = in.count(); left > 0; --left) texts.insert(in.text());
  return texts;
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
