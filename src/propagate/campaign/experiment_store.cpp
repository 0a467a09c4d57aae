// SPDX-License-Identifier: Apache-2.0
#include "propagate/campaign/experiment_store.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/bytes.h"
#include "base/check.h"
#include "base/files.h"

namespace heddle::propagate {
namespace {

constexpr int kApplication = 0x48454445;  // "HEDE"
constexpr int kVersion = 2;

constexpr const char* kTables = R"(
  CREATE TABLE campaign (program TEXT NOT NULL, seed TEXT NOT NULL, options TEXT NOT NULL, check_value TEXT NOT NULL);
  CREATE TABLE experiments (
    id INTEGER PRIMARY KEY,
    fault TEXT NOT NULL, thread TEXT NOT NULL, instruction_index INTEGER NOT NULL, place TEXT NOT NULL,
    function TEXT NOT NULL, instruction TEXT NOT NULL, detail TEXT NOT NULL,
    outcome TEXT NOT NULL, reason TEXT NOT NULL, injected INTEGER NOT NULL, deviated INTEGER NOT NULL,
    instructions_until_deviation INTEGER NOT NULL, first_deviation TEXT NOT NULL,
    objects TEXT NOT NULL, functions TEXT NOT NULL, threads_reached TEXT NOT NULL, crossings TEXT NOT NULL,
    propagation TEXT NOT NULL,
    instructions INTEGER NOT NULL, seconds REAL NOT NULL, check_value TEXT NOT NULL);)";

std::string check_value(const ExperimentResult& result) {
  base::ByteWriter bytes;
  for (const uint64_t number :
       {result.id, result.index, static_cast<uint64_t>(result.outcome), uint64_t{result.injected},
        uint64_t{result.deviated}, result.instructions_until_deviation, result.instructions,
        std::bit_cast<uint64_t>(result.seconds)})
    bytes.number(number);
  for (const std::string* text : {&result.fault, &result.thread, &result.place, &result.function, &result.instruction,
                                  &result.detail, &result.reason, &result.first_deviation, &result.objects,
                                  &result.functions, &result.threads_reached, &result.crossings, &result.propagation})
    bytes.text(*text);
  return base::hash_text(bytes.bytes());
}

std::string check_value(const CampaignIdentity& identity) {
  base::ByteWriter bytes;
  bytes.text(identity.program);
  bytes.number(identity.seed);
  bytes.text(identity.options);
  return base::hash_text(bytes.bytes());
}

void bind(Statement& statement, const ExperimentResult& result, const std::string& check) {
  const auto number = [&](uint64_t value) {
    HEDDLE_CHECK(value >> 63 == 0, "a number of an experiment is below 2^63");
    statement.bind(static_cast<int64_t>(value));
  };
  HEDDLE_CHECK(std::isfinite(result.seconds), "the time of an experiment is a number");
  number(result.id);
  statement.bind(result.fault).bind(result.thread);
  number(result.index);
  statement.bind(result.place).bind(result.function).bind(result.instruction).bind(result.detail);
  statement.bind(outcome_name(result.outcome))
      .bind(result.reason)
      .bind(int64_t{result.injected})
      .bind(int64_t{result.deviated});
  number(result.instructions_until_deviation);
  statement.bind(result.first_deviation).bind(result.objects).bind(result.functions).bind(result.threads_reached);
  statement.bind(result.crossings).bind(result.propagation);
  number(result.instructions);
  statement.bind(result.seconds).bind(check);
}

base::Error damaged(const std::string& path, const std::string& why) {
  return {fmt::format("{} is damaged: {}", path, why), "start a new campaign"};
}

base::Result<ExperimentResult> read_row(Statement& row, const std::string& path) {
  ExperimentResult result;
  result.id = static_cast<uint64_t>(row.integer());
  result.fault = row.text();
  result.thread = row.text();
  result.index = static_cast<uint64_t>(row.integer());
  result.place = row.text();
  result.function = row.text();
  result.instruction = row.text();
  result.detail = row.text();
  const auto outcome = outcome_named(row.text());
  result.outcome = outcome.value_or(Outcome::kBenign);
  result.reason = row.text();
  result.injected = row.integer() != 0;
  result.deviated = row.integer() != 0;
  result.instructions_until_deviation = static_cast<uint64_t>(row.integer());
  result.first_deviation = row.text();
  result.objects = row.text();
  result.functions = row.text();
  result.threads_reached = row.text();
  result.crossings = row.text();
  result.propagation = row.text();
  result.instructions = static_cast<uint64_t>(row.integer());
  result.seconds = row.real();
  if (!outcome || row.text() != check_value(result))
    return damaged(path, fmt::format("experiment {} is not as it was written", result.id));
  return result;
}

base::Result<CampaignIdentity> read_identity(Database& database) {
  auto row = database.prepare("SELECT program, seed, options, check_value FROM campaign");
  if (!row) return row.error();
  auto found = row->step();
  if (!found) return found.error();
  if (!*found) return damaged(database.path(), "it does not say which campaign it is of");
  CampaignIdentity identity;
  identity.program = row->text();
  const std::string seed = row->text();
  std::from_chars(seed.data(), seed.data() + seed.size(), identity.seed);
  identity.options = row->text();
  if (row->text() != check_value(identity))
    return damaged(database.path(), "what it says about its campaign is not as it was written");
  return identity;
}

// Is the file one of ours, of this version, and whole as far as SQLite can tell?
base::Result<void> examine(Database& database) {
  auto application = database.ask("PRAGMA application_id");
  if (!application) return application.error();
  if (*application != std::to_string(kApplication))
    return base::Error{database.path() + " is damaged, or no store of experiments", "name the directory of a campaign"};
  auto version = database.ask("PRAGMA user_version");
  if (!version) return version.error();
  if (*version != std::to_string(kVersion))
    return base::Error{fmt::format("{} has version {}, this heddle reads {}", database.path(), *version, kVersion),
                       "start a new campaign, or use the heddle that wrote it"};
  auto whole = database.ask("PRAGMA quick_check(1)");
  if (!whole) return whole.error();
  if (*whole != "ok") return damaged(database.path(), *whole);
  return {};
}

}  // namespace

base::Result<void> ExperimentStore::make_tables() {
  if (auto done = database_.begin_to_write(); !done) return done;
  const std::string begin =
      fmt::format("BEGIN; PRAGMA application_id = {}; PRAGMA user_version = {};", kApplication, kVersion);
  if (auto done = database_.execute((begin + kTables).c_str()); !done) return done;
  auto row = database_.prepare("INSERT INTO campaign VALUES (?, ?, ?, ?)");
  if (!row) return row.error();
  const std::string seed = std::to_string(identity_.seed), check = check_value(identity_);
  auto done = row->bind(identity_.program).bind(seed).bind(identity_.options).bind(check).step();
  if (!done) return done.error();
  return database_.execute("COMMIT");
}

base::Result<ExperimentStore> ExperimentStore::create(const std::string& path, const CampaignIdentity& identity) {
  auto database = Database::open(path, Database::Mode::kCreate);
  if (!database) return database.error();
  ExperimentStore store(std::move(*database));
  store.identity_ = identity;
  if (auto done = store.make_tables(); !done) {
    std::error_code ignored;  // half a store would only be in the way
    std::filesystem::remove(path, ignored);
    return done.error();
  }
  return store;
}

base::Result<ExperimentStore> ExperimentStore::open(const std::string& path) {
  auto database = Database::open(path, Database::Mode::kExisting);
  if (!database) return database.error();
  ExperimentStore store(std::move(*database));
  if (auto done = examine(store.database_); !done) return done.error();
  auto identity = read_identity(store.database_);
  if (!identity) return identity.error();
  store.identity_ = std::move(*identity);
  auto results = store.results();
  if (!results) return results.error();
  for (const ExperimentResult& result : *results) store.finished_.insert(store.finished_.end(), result.id);
  return store;
}

base::Result<ExperimentStore> ExperimentStore::open(const std::string& path, const CampaignIdentity& identity) {
  auto store = open(path);
  if (!store) return store;
  const CampaignIdentity& there = store->identity();
  const auto other = [&](const std::string& what) {
    return base::Error{fmt::format("{} is of another campaign: {}", path, what),
                       "resume with what that campaign was started with, or start a new one"};
  };
  if (there.program != identity.program)
    return other(fmt::format("the program has changed (its hash was {}, now {})", there.program, identity.program));
  if (there.seed != identity.seed) return other(fmt::format("its seed was {}, not {}", there.seed, identity.seed));
  if (there.options != identity.options)
    return other(fmt::format("its options were '{}', not '{}'", there.options, identity.options));
  if (auto done = store->database_.begin_to_write(); !done) return done.error();
  return store;
}

base::Result<void> ExperimentStore::insert(std::span<const ExperimentResult> results) {
  auto row = database_.prepare("INSERT INTO experiments VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  if (!row) return row.error();
  for (const ExperimentResult& result : results) {
    HEDDLE_CHECK(!finished_.contains(result.id), "an experiment is added once");
    const std::string check = check_value(result);
    bind(*row, result, check);
    if (auto done = row->step(); !done) return done.error();
  }
  return database_.execute("COMMIT");
}

base::Result<void> ExperimentStore::add(std::span<const ExperimentResult> results) {
  if (auto done = database_.execute("BEGIN IMMEDIATE"); !done) return done;
  if (auto done = insert(results); !done) {
    // SQLite may have rolled back by itself; then this fails, and that is as good.
    (void)database_.execute("ROLLBACK");
    return done;
  }
  for (const ExperimentResult& result : results) finished_.insert(result.id);
  return {};
}

base::Result<std::vector<ExperimentResult>> ExperimentStore::results() {
  auto row = database_.prepare("SELECT * FROM experiments ORDER BY id");
  if (!row) return row.error();
  std::vector<ExperimentResult> results;
  for (;;) {
    auto found = row->step();
    if (!found) return found.error();
    if (!*found) return results;
    auto result = read_row(*row, database_.path());
    if (!result) return result.error();
    results.push_back(std::move(*result));
  }
}

}  // namespace heddle::propagate
