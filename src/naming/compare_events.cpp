// SPDX-License-Identifier: Apache-2.0
#include "naming/compare_events.h"

#include "naming/addresses.h"
#include "trace/kinds.h"
#include "trace/text.h"

namespace heddle::naming {
namespace {

struct Side {
  const Names& names;
  uint32_t event;
  const HeddleRecord& record() const { return names.trace().events[event].record; }
};

// Without making the names where the answer is plain from the numbers.
bool same_place(const Side& a, uint64_t address_a, const Side& b, uint64_t address_b) {
  if (address_a < kFirstPage || address_b < kFirstPage) return address_a == address_b;
  const auto place_a = a.names.objects().find(a.event, address_a);
  const auto place_b = b.names.objects().find(b.event, address_b);
  if (!place_a || !place_b) return !place_a && !place_b && address_a == address_b;
  if (place_a->offset != place_b->offset || place_a->alive != place_b->alive) return false;
  const Object& object_a = a.names.objects().all()[place_a->object];
  const Object& object_b = b.names.objects().all()[place_b->object];
  if (object_a.kind != object_b.kind) return false;
  if (object_a.kind == ObjectKind::kGlobal) return a.names.object_name(object_a) == b.names.object_name(object_b);
  return object_a.index == object_b.index &&
         a.names.thread_name(object_a.thread) == b.names.thread_name(object_b.thread);
}

bool same_value(const Side& a, uint64_t value_a, const Side& b, uint64_t value_b, trace::Meaning meaning,
                const AlignOptions& options) {
  const auto thread_of = [](const Side& side, uint64_t number) {
    return side.names.thread_name(static_cast<uint32_t>(std::min<uint64_t>(number, HEDDLE_NO_THREAD)));
  };
  switch (meaning) {
    case trace::Meaning::kAddress: return same_place(a, value_a, b, value_b);
    case trace::Meaning::kThreadNumber: return thread_of(a, value_a) == thread_of(b, value_b);
    case trace::Meaning::kThreadPlusOne:
      if (value_a == 0 || value_b == 0) return value_a == value_b;
      return thread_of(a, value_a - 1) == thread_of(b, value_b - 1);
    case trace::Meaning::kNone:
    case trace::Meaning::kNumber: break;
  }
  if (!options.abstract_values || !may_hold_pointer(a.record()) || value_a < kFirstPage || value_b < kFirstPage) {
    return value_a == value_b;
  }
  const bool pointer_a = a.names.objects().find(a.event, value_a).has_value();
  const bool pointer_b = b.names.objects().find(b.event, value_b).has_value();
  if (!pointer_a || !pointer_b) return pointer_a == pointer_b && value_a == value_b;
  return same_place(a, value_a, b, value_b);
}

}  // namespace

std::optional<DifferenceKind> compare_events(const Names& first, uint32_t first_event, const Names& second,
                                             uint32_t second_event, const AlignOptions& options) {
  const Side side_a{first, first_event};
  const Side side_b{second, second_event};
  const HeddleRecord& a = side_a.record();
  const HeddleRecord& b = side_b.record();
  if (a.kind != b.kind || a.size != b.size || a.order != b.order || a.flags != b.flags) {
    return DifferenceKind::kOperation;
  }
  const bool same_module = first.trace().header.module_hash == second.trace().header.module_hash;
  if (options.compare_places && !(same_module && a.site == b.site) &&
      trace::site_text(first.trace(), a.site) != trace::site_text(second.trace(), b.site)) {
    return DifferenceKind::kPlace;
  }
  const trace::KindInfo* info = trace::find_kind(a.kind);
  const bool named = info && info->family != trace::Family::kProgram && a.kind != HEDDLE_TEXT;
  if (named ? !same_place(side_a, a.address, side_b, b.address) : a.address != b.address) {
    return named ? DifferenceKind::kObject : DifferenceKind::kValue;
  }
  if (!options.compare_values) return std::nullopt;
  const trace::Meaning meaning = info ? info->value : trace::Meaning::kNumber;
  const trace::Meaning meaning2 = info ? info->value2 : trace::Meaning::kNumber;
  if (!same_value(side_a, a.value, side_b, b.value, meaning, options) ||
      !same_value(side_a, a.value2, side_b, b.value2, meaning2, options)) {
    return DifferenceKind::kValue;
  }
  return std::nullopt;
}

}  // namespace heddle::naming
