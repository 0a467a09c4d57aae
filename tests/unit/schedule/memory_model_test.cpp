// SPDX-License-Identifier: Apache-2.0
#include "schedule/memory_model.h"

#include <gtest/gtest.h>

namespace heddle::schedule {
namespace {

TEST(MemoryModel, NamesAreFoundAgain) {
  for (const MemoryModel model : {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso}) {
    EXPECT_EQ(find_memory_model(memory_model_name(model)), model);
  }
  EXPECT_STREQ(memory_model_name(MemoryModel::kTso), "tso");
  EXPECT_EQ(find_memory_model("TSO"), std::nullopt);
  EXPECT_EQ(find_memory_model(""), std::nullopt);
}

}  // namespace
}  // namespace heddle::schedule
