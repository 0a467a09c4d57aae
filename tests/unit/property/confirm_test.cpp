// SPDX-License-Identifier: Apache-2.0
#include "property/confirm.h"

#include <gtest/gtest.h>

namespace heddle::property {
namespace {

const std::vector<trace::Site> kSites = {{"?", 0, 0, "", ""}, {"a.c", 5, 1, "f", ""}, {"a.c", 6, 1, "g", ""}};

Place at(uint32_t site, const char* thread) {
  return {kSites[site].file, kSites[site].line, kSites[site].function, thread};
}

class ConfirmTest : public testing::Test {
 protected:
  ConfirmTest() {
    run_.threads = {{HEDDLE_NO_THREAD, 0}, {0, 0}, {0, 1}};  // T0, T0.0, T0.1
    run_.ending.outcome = HEDDLE_OUTCOME_EXIT;
  }
  void fail(uint32_t thread, uint32_t site, HeddleFailure failure) {
    add(HEDDLE_FAIL, thread, site, failure);
    run_.ending.outcome = HEDDLE_OUTCOME_FAILURE;
    run_.ending.detail = failure;
  }
  // `holder`: the number of the thread that it waits for.
  void wait(uint32_t thread, uint32_t site, uint32_t holder) { add(HEDDLE_WAITING, thread, site, holder + 1); }

  bool shows(const char* kind, std::vector<Place> places) const {
    Finding finding;
    finding.kind = kind;
    finding.places = std::move(places);
    return property::shows(run_, kSites, finding);
  }

  execute::Run run_;

 private:
  void add(uint8_t kind, uint32_t thread, uint32_t site, uint64_t value) {
    HeddleRecord record = {};
    record.kind = kind;
    record.thread = thread;
    record.site = site;
    record.value = value;
    run_.records.push_back(record);
  }
};

TEST_F(ConfirmTest, AFailureIsTheOneThatWasPredicted) {
  fail(1, 1, HEDDLE_FAILURE_ASSERTION);
  EXPECT_TRUE(shows("assertion", {at(1, "T0.0")}));
  EXPECT_FALSE(shows("assertion", {at(2, "T0.0")})) << "another assertion";
  EXPECT_FALSE(shows("assertion", {at(1, "T0.1")})) << "another thread";
  EXPECT_FALSE(shows("null-dereference", {at(1, "T0.0")})) << "another kind";
}

TEST_F(ConfirmTest, AFailureAfterAnotherOneCounts) {
  fail(1, 1, HEDDLE_FAILURE_ASSERTION);
  fail(2, 2, HEDDLE_FAILURE_NULL);
  EXPECT_TRUE(shows("assertion", {at(1, "T0.0")}));
  EXPECT_TRUE(shows("null-dereference", {at(2, "T0.1")}));
}

TEST_F(ConfirmTest, ADivergedRunShowsNothing) {
  fail(1, 1, HEDDLE_FAILURE_ASSERTION);
  run_.ending.outcome = HEDDLE_OUTCOME_DIVERGED;
  EXPECT_FALSE(shows("assertion", {at(1, "T0.0")}));
}

TEST_F(ConfirmTest, ThreadsOfADeadlockWaitAtTheirPlaces) {
  wait(0, 0, 1);
  wait(1, 1, 2);
  wait(2, 2, 1);
  run_.ending.outcome = HEDDLE_OUTCOME_DEADLOCK;
  EXPECT_TRUE(shows("deadlock", {at(1, "T0.0"), at(2, "T0.1")}));
  EXPECT_FALSE(shows("deadlock", {at(2, "T0.0"), at(1, "T0.1")}));
}

TEST_F(ConfirmTest, IfTheProgramEndsTheyMustWaitForEachOther) {
  wait(1, 1, 2);
  wait(2, 2, 1);
  EXPECT_TRUE(shows("deadlock", {at(1, "T0.0"), at(2, "T0.1")}));
  EXPECT_FALSE(shows("deadlock", {at(1, "T0.0")})) << "for somebody who is not of them";
  EXPECT_FALSE(shows("deadlock", {}));
}

}  // namespace
}  // namespace heddle::property
