// SPDX-License-Identifier: Apache-2.0
#include "schedule/memory_model.h"

#include "base/check.h"

namespace heddle::schedule {
namespace {

constexpr MemoryModel kModels[] = {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso};

}  // namespace

const char* memory_model_name(MemoryModel model) {
  switch (model) {
    case MemoryModel::kSc: return "sc";
    case MemoryModel::kTso: return "tso";
    case MemoryModel::kPso: return "pso";
  }
  HEDDLE_CHECK(false, "a memory model is one of MemoryModel");
  return nullptr;
}

std::optional<MemoryModel> find_memory_model(std::string_view name) {
  for (const MemoryModel model : kModels) {
    if (name == memory_model_name(model)) return model;
  }
  return std::nullopt;
}

}  // namespace heddle::schedule
