// SPDX-License-Identifier: Apache-2.0
#include "trace/trace.h"

namespace heddle::trace {

bool Event::operator==(const Event& other) const {
  const HeddleRecord& a = record;
  const HeddleRecord& b = other.record;
  return sequence == other.sequence && a.kind == b.kind && a.size == b.size && a.order == b.order &&
         a.flags == b.flags && a.thread == b.thread && a.index == b.index && a.site == b.site &&
         a.address == b.address && a.value == b.value && a.value2 == b.value2;
}

bool Trace::operator==(const Trace& other) const {
  return header == other.header && threads == other.threads && sites == other.sites && globals == other.globals &&
         events == other.events && complete == other.complete && (!complete || ending == other.ending);
}

std::string Trace::thread_name(uint32_t thread) const {
  std::vector<uint32_t> path;
  while (thread != 0) {
    // A path longer than the table would be a cycle.
    if (thread >= threads.size() || path.size() > threads.size()) return "T?";
    path.push_back(threads[thread].child_number);
    thread = threads[thread].parent;
  }
  std::string name = "T0";
  for (auto number = path.rbegin(); number != path.rend(); ++number) name += '.' + std::to_string(*number);
  return name;
}

}  // namespace heddle::trace
