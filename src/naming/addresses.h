// SPDX-License-Identifier: Apache-2.0
//
// What in a record is an address.
#pragma once

#include <cstdint>

#include "abi/event.h"
#include "trace/kinds.h"

namespace heddle::naming {

// Calls visit(address) for each address in the record that names an object.
template <typename Visit>
void for_each_address(const HeddleRecord& record, Visit visit) {
  const trace::KindInfo* info = trace::find_kind(record.kind);
  if (!info || record.kind == HEDDLE_TEXT) return;
  if ((info->has_address || record.address != 0) && info->family != trace::Family::kProgram) visit(record.address);
  if (info->value == trace::Meaning::kAddress) visit(record.value);
  if (info->value2 == trace::Meaning::kAddress) visit(record.value2);
}

// Whether the record's values may be pointers that the program holds: eight
// bytes read, written or computed, or what a thread returned.
inline bool may_hold_pointer(const HeddleRecord& record) {
  switch (record.kind) {
    case HEDDLE_LOAD:
    case HEDDLE_STORE:
    case HEDDLE_RMW:
    case HEDDLE_CAS:
    case HEDDLE_LOCAL_VALUE: return record.size == 8;
    case HEDDLE_THREAD_END: return true;
    default: return false;
  }
}

}  // namespace heddle::naming
