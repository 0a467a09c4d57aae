// SPDX-License-Identifier: Apache-2.0
//
// The store of experiments: what is written is read, campaigns are not mixed, a
// killed writer loses nothing that it was told is written, a full disk and a
// damaged file are errors and never wrong results.
#include "propagate/campaign/experiment_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "base/files.h"
#include "sample_results.h"

namespace heddle::propagate {
namespace {

using ::testing::HasSubstr;

const CampaignIdentity kIdentity{"0123456789abcdef", 42, "faults=bitflip runs=100"};

class ExperimentStoreTest : public ::testing::Test {
 protected:
  base::TemporaryDirectory directory_ = std::move(*base::TemporaryDirectory::create("store-test"));
  const std::string path_ = directory_.path() + "/" + kExperimentStoreFile;

  void write_samples(uint64_t count) {
    auto store = ExperimentStore::create(path_, kIdentity);
    ASSERT_TRUE(store) << store.error().message;
    for (uint64_t id = 0; id < count; ++id) ASSERT_TRUE(store->add(sample_result(id)));
  }

  void replace_with(const std::string& bytes) {
    for (const char* end : {"", "-wal", "-journal"}) std::filesystem::remove(path_ + end);
    std::ofstream(path_, std::ios::binary) << bytes;
  }

  // Runs `child` in a process of its own and gives what wait says.
  template <typename Function>
  static int in_child(Function child) {
    const pid_t process = ::fork();
    if (process == 0) {
      child();
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(process, &status, 0);
    return status;
  }
};

TEST_F(ExperimentStoreTest, ReadsWhatWasWritten) {
  {
    auto store = ExperimentStore::create(path_, kIdentity);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_TRUE(store->finished().empty());
    ASSERT_TRUE(store->add(sample_result(9)));
    const std::vector<ExperimentResult> more{sample_result(3), sample_result(5)};
    ASSERT_TRUE(store->add(more));
    EXPECT_EQ(store->finished(), (std::set<uint64_t>{3, 5, 9}));
  }
  auto store = ExperimentStore::open(path_, kIdentity);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(store->identity(), kIdentity);
  EXPECT_EQ(store->finished(), (std::set<uint64_t>{3, 5, 9}));
  auto results = store->results();
  ASSERT_TRUE(results);
  EXPECT_EQ(*results, (std::vector<ExperimentResult>{sample_result(3), sample_result(5), sample_result(9)}));
}

TEST_F(ExperimentStoreTest, IsOneFileWhenClosed) {
  write_samples(50);
  size_t files = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(directory_.path())) ++files;
  EXPECT_EQ(files, 1u);
  std::filesystem::permissions(path_, std::filesystem::perms::owner_read);
  const std::string before = std::move(*base::read_file(path_));
  {
    auto store = ExperimentStore::open(path_);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(store->finished().size(), 50u);
  }
  EXPECT_EQ(std::move(*base::read_file(path_)), before) << "reading changes nothing";
}

TEST_F(ExperimentStoreTest, RefusesAnotherCampaign) {
  write_samples(1);
  const auto refused = [&](CampaignIdentity identity) {
    auto store = ExperimentStore::open(path_, identity);
    EXPECT_FALSE(store);
    return store ? std::string() : store.error().message;
  };
  EXPECT_THAT(refused({"fedcba", 42, kIdentity.options}),
              HasSubstr("the program has changed (its hash was 0123456789abcdef, now fedcba)"));
  EXPECT_THAT(refused({kIdentity.program, 43, kIdentity.options}), HasSubstr("its seed was 42, not 43"));
  EXPECT_THAT(refused({kIdentity.program, 42, "runs=5"}),
              HasSubstr("its options were 'faults=bitflip runs=100', not 'runs=5'"));
  EXPECT_TRUE(ExperimentStore::open(path_, kIdentity));
}

TEST_F(ExperimentStoreTest, RefusesWhatIsThereAndWhatIsNot) {
  auto missing = ExperimentStore::open(path_);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("there is no"));
  write_samples(1);
  auto there = ExperimentStore::create(path_, kIdentity);
  ASSERT_FALSE(there);
  EXPECT_THAT(there.error().message, HasSubstr("is already there"));
  EXPECT_TRUE(ExperimentStore::open(path_, kIdentity));
}

// While another process has it open, and no longer.
TEST_F(ExperimentStoreTest, IsForOneProcess) {
  write_samples(1);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    auto store = ExperimentStore::open(path_, kIdentity);
    const char opened = store ? 'y' : 'n';
    if (::write(ends[1], &opened, 1) != 1) ::_exit(3);
    for (;;) ::pause();
  }
  char opened = 0;
  ASSERT_EQ(::read(ends[0], &opened, 1), 1);
  ASSERT_EQ(opened, 'y');
  auto second = ExperimentStore::open(path_, kIdentity);
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("in use by another process"));
  EXPECT_TRUE(ExperimentStore::open(path_, kIdentity));
}

// A writer says through a pipe what it was told is written; it is killed at any
// moment, again and again. Nothing that it named may be missing.
TEST_F(ExperimentStoreTest, AKilledWriterLosesNothing) {
  ASSERT_TRUE(ExperimentStore::create(path_, kIdentity));
  std::mt19937 random(1);
  std::set<uint64_t> named;
  size_t killed_while_writing = 0;
  for (int round = 0; round < 12; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t writer = ::fork();
    if (writer == 0) {
      auto store = ExperimentStore::open(path_, kIdentity);
      if (!store) ::_exit(3);
      for (uint64_t id = store->finished().empty() ? 0 : *store->finished().rbegin() + 1;; ++id) {
        if (!store->add(sample_result(id))) ::_exit(4);
        if (::write(ends[1], &id, sizeof id) != sizeof id) ::_exit(5);
      }
    }
    ::close(ends[1]);
    uint64_t id = 0;
    if (::read(ends[0], &id, sizeof id) == sizeof id) named.insert(id);  // it has begun
    ::usleep(random() % 8000);
    ::kill(writer, SIGKILL);
    int status = 0;
    ::waitpid(writer, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended with " << WEXITSTATUS(status);
    while (::read(ends[0], &id, sizeof id) == sizeof id) named.insert(id);
    ::close(ends[0]);
    killed_while_writing += std::filesystem::exists(path_ + "-wal");

    auto store = ExperimentStore::open(path_, kIdentity);
    ASSERT_TRUE(store) << store.error().message;
    for (const uint64_t known : named)
      ASSERT_TRUE(store->finished().contains(known)) << known << " was lost in round " << round;
    ASSERT_LE(store->finished().size(), named.size() + 1) << "only the one it was writing may be there as well";
    named = store->finished();
    auto results = store->results();
    ASSERT_TRUE(results);
    for (const ExperimentResult& result : *results) ASSERT_EQ(result, sample_result(result.id));
  }
  EXPECT_GT(killed_while_writing, 8u);
  EXPECT_GT(named.size(), 100u);
}

// As on a full disk: files may not grow beyond a limit.
TEST_F(ExperimentStoreTest, AFullDiskIsAnErrorAndLosesNothing) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    auto store = ExperimentStore::create(path_, kIdentity);
    if (!store) ::_exit(3);
    const rlimit limit{200'000, RLIM_INFINITY};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(4);
    uint64_t id = 0;
    for (; id < 100'000; ++id) {
      auto added = store->add(sample_result(id));
      if (added) continue;
      if (added.error().message.find(path_) == std::string::npos ||
          added.error().hint.find("what was written is kept") == std::string::npos)
        ::_exit(5);
      break;
    }
    if (store->add(sample_result(id))) ::_exit(6);  // still full
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &none);
    if (!store->add(sample_result(id))) ::_exit(7);  // there is room again
    if (::write(ends[1], &id, sizeof id) != sizeof id) ::_exit(8);
    ::_exit(0);  // without closing the store
  });
  ASSERT_EQ(WEXITSTATUS(status), 0);
  uint64_t last = 0;
  ASSERT_EQ(::read(ends[0], &last, sizeof last), static_cast<ssize_t>(sizeof last));
  EXPECT_GT(last, 10u);
  auto store = ExperimentStore::open(path_, kIdentity);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(store->finished().size(), last + 1);
}

TEST_F(ExperimentStoreTest, ADirectoryWithoutRoomIsAnErrorAtOnce) {
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{0, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto store = ExperimentStore::create(path_, kIdentity);
    ::_exit(store ? 3 : std::filesystem::exists(path_) ? 4 : 0);
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// Whatever byte is changed: an error, or the results as they were written.
TEST_F(ExperimentStoreTest, DamageIsNeverAWrongResult) {
  write_samples(30);
  const std::string whole = std::move(*base::read_file(path_));
  std::vector<ExperimentResult> written;
  for (uint64_t id = 0; id < 30; ++id) written.push_back(sample_result(id));
  std::mt19937 random(2);
  size_t errors = 0;
  for (int round = 0; round < 600; ++round) {
    std::string bytes = whole;
    bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
    replace_with(bytes);
    auto store = ExperimentStore::open(path_);
    if (!store) {
      EXPECT_THAT(store.error().message, HasSubstr(path_));
      ++errors;
      continue;
    }
    ASSERT_EQ(store->identity(), kIdentity);
    auto results = store->results();
    ASSERT_TRUE(results);
    ASSERT_EQ(*results, written) << "round " << round;
  }
  EXPECT_GT(errors, 100u);
}

// A page that says it has one row less: every other row is as it was written.
TEST_F(ExperimentStoreTest, ARowThatIsMissingIsAnError) {
  constexpr size_t kPage = 4096, kCountLow = 4;  // a leaf: kind 13, first free block, number of rows (big-endian)
  write_samples(30);
  const std::string whole = std::move(*base::read_file(path_));
  size_t leaves = 0;
  for (size_t page = kPage; page < whole.size(); page += kPage) {
    if (whole[page] != 13 || whole[page + kCountLow] < 2) continue;
    std::string bytes = whole;
    --bytes[page + kCountLow];
    replace_with(bytes);
    EXPECT_FALSE(ExperimentStore::open(path_)) << "page " << page / kPage;
    ++leaves;
  }
  EXPECT_GT(leaves, 0u);
}

TEST_F(ExperimentStoreTest, AShortenedFileIsAnError) {
  write_samples(30);
  const std::string whole = std::move(*base::read_file(path_));
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{99}, size_t{4096}, whole.size() / 2, whole.size() - 4096, whole.size() - 1}) {
    replace_with(whole.substr(0, size));
    auto store = ExperimentStore::open(path_, kIdentity);
    ASSERT_FALSE(store) << size << " bytes of " << whole.size();
    EXPECT_THAT(store.error().message, HasSubstr("damaged")) << size;
  }
}

TEST_F(ExperimentStoreTest, RefusesOtherFiles) {
  ASSERT_TRUE(base::write_file(
      path_, "this is a text and no database, although it is long enough to look like one " + std::string(900, 'x')));
  auto text = ExperimentStore::open(path_);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("no store of experiments"));
  std::filesystem::remove(path_);
  {
    auto other = Database::open(path_, Database::Mode::kCreate);
    ASSERT_TRUE(other);
    ASSERT_TRUE(other->execute("CREATE TABLE something (x)"));
  }
  auto database = ExperimentStore::open(path_);
  ASSERT_FALSE(database);
  EXPECT_THAT(database.error().message, HasSubstr("no store of experiments"));
}

}  // namespace
}  // namespace heddle::propagate
