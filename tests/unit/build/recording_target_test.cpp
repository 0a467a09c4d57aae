// SPDX-License-Identifier: Apache-2.0
//
// Recorded code and controlled code of the same optimised module number their instructions alike:
// what a recording says about a site, a controlled run can be asked about.
#include "build/recording_target.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "build/code_places.h"
#include "build/sources.h"

namespace heddle::build {
namespace {

constexpr const char* kSource = R"(
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static int shared, order[3] = {3, 1, 2};
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *work(void *text) {
  for (size_t i = 0; i < strlen(text); ++i) if (((char *)text)[i] == 'a') ++shared;
  return 0;
}
int main(int argc, char **argv) {
  pthread_t thread;
  pthread_create(&thread, 0, work, argv[0]);
  qsort(order, 3, sizeof(int), compare);
  switch (argc) { case 1: ++shared; break; case 2: shared += order[0]; break; case 7: return 9; }
  pthread_join(thread, 0);
  return shared == 1000;
}
)";

TEST(RecordingTarget, NumbersInstructionsLikeTheControlledTarget) {
  auto directory = base::TemporaryDirectory::create("recording-target");
  ASSERT_TRUE(directory);
  ::setenv("XDG_CACHE_HOME", directory->path().c_str(), 1);
  const std::string source = directory->path() + "/program.c";
  ASSERT_TRUE(base::write_file(source, kSource));
  IntakeOptions options;
  options.optimised = true;
  options.cflags = {"-O2"};
  auto first = intake({source}, options), second = intake({source}, options);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->hash(), second->hash());
  auto recorded = make_recording_target(std::move(*first), {});
  auto controlled = make_target(std::move(*second), {});
  ASSERT_TRUE(recorded) << recorded.error().message;
  ASSERT_TRUE(controlled) << controlled.error().message;
  size_t compared = 0;
  for (size_t i = 1; i < controlled->sites.size(); ++i) {
    const trace::Site& site = controlled->sites[i];
    if (site.function.empty()) continue;
    ASSERT_LT(i, recorded->sites.size());
    EXPECT_EQ(std::tie(site.file, site.line, site.column, site.function),
              std::tie(recorded->sites[i].file, recorded->sites[i].line, recorded->sites[i].column,
                       recorded->sites[i].function));
    ++compared;
  }
  EXPECT_GT(compared, 10u);

  // And an address of the recorded code tells its site.
  auto functions = functions_of(recorded->executable);
  ASSERT_TRUE(functions);
  const auto main = std::find_if(functions->begin(), functions->end(),
                                 [](const CodeRange& range) { return range.function == "main"; });
  ASSERT_NE(main, functions->end());
  size_t found = 0;
  for (uint64_t address = main->address; address < main->address + main->size; ++address) {
    const uint32_t site = site_at(recorded->executable, address);
    if (site == 0 || site >= recorded->sites.size() || recorded->sites[site].function.empty()) continue;
    EXPECT_EQ(recorded->sites[site].function, "main");
    if (++found > 20) break;
  }
  EXPECT_GT(found, 5u);
}

}  // namespace
}  // namespace heddle::build
