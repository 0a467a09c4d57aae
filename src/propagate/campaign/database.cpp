// SPDX-License-Identifier: Apache-2.0
#include "propagate/campaign/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <utility>

#include "base/check.h"

namespace heddle::propagate {
namespace {

// What SQLite says, in the words of the user's world.
base::Error error_of(sqlite3* database, int code, const std::string& path) {
  const char* text = database ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_FULL:
      return {fmt::format("cannot write {}: the disk is full", path),
              "make room and go on with --resume; what was written is kept"};
    case SQLITE_IOERR:
      return {fmt::format("cannot read or write {}: {}", path, text),
              "look at the disk and its limits, then go on with --resume; what was written is kept"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {fmt::format("{} is damaged, or no store of experiments: {}", path, text), "start a new campaign"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {fmt::format("{} is in use by another process", path), "wait until that campaign ends, or end it"};
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      return {fmt::format("cannot open {}: {}", path, text), "look at its directory and its permissions"};
    default: return {fmt::format("{}: {}", path, text), ""};
  }
}

}  // namespace

Statement::Statement(sqlite3* database, sqlite3_stmt* statement, const std::string* path)
    : database_(database), statement_(statement), path_(path) {}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::bind(int64_t value) {
  HEDDLE_CHECK(sqlite3_bind_int64(statement_.get(), ++next_value_, value) == SQLITE_OK, "a value fits its statement");
  return *this;
}

Statement& Statement::bind(double value) {
  HEDDLE_CHECK(sqlite3_bind_double(statement_.get(), ++next_value_, value) == SQLITE_OK, "a value fits its statement");
  return *this;
}

Statement& Statement::bind(std::string_view value) {
  // A null pointer would be bound as NULL.
  const char* bytes = value.data() ? value.data() : "";
  const int code =
      sqlite3_bind_text64(statement_.get(), ++next_value_, bytes, value.size(), SQLITE_STATIC, SQLITE_UTF8);
  HEDDLE_CHECK(code == SQLITE_OK, "a value fits its statement");
  return *this;
}

base::Result<bool> Statement::step() {
  next_value_ = next_column_ = 0;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement_.get());
    return false;
  }
  base::Error error = error_of(database_, code, *path_);
  sqlite3_reset(statement_.get());
  return error;
}

int64_t Statement::integer() { return sqlite3_column_int64(statement_.get(), next_column_++); }

double Statement::real() { return sqlite3_column_double(statement_.get(), next_column_++); }

std::string Statement::text() {
  const int column = next_column_++;
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return bytes ? std::string(bytes, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column)))
               : std::string();
}

Database::Database(std::string path, sqlite3* database)
    : path_(std::make_unique<std::string>(std::move(path))), database_(database) {}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

// A file that is closed in this mode can be read where nothing can be written. If
// it fails, what was written ahead stays beside the file, and nothing is lost.
Database::~Database() {
  if (database_) sqlite3_exec(database_.get(), "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
}

base::Result<Database> Database::open(const std::string& path, Mode mode) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path, ignored);
  if (mode == Mode::kCreate && exists)
    return base::Error{fmt::format("{} is already there", path), "name another run, or --resume it"};
  if (mode == Mode::kExisting && !exists)
    return base::Error{fmt::format("there is no {}", path), "name the directory of a campaign"};
  if (mode == Mode::kExisting && std::filesystem::is_empty(path, ignored))
    return base::Error{fmt::format("{} is damaged: it is empty", path), "start a new campaign"};

  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  Database database(path, handle);
  if (code != SQLITE_OK) return error_of(handle, code, path);
  sqlite3_extended_result_codes(handle, 1);

  // Before the first access, so that the index of what was written ahead is private memory.
  if (auto done = database.execute("PRAGMA locking_mode = EXCLUSIVE"); !done) return done.error();
  return database;
}

base::Result<void> Database::begin_to_write() {
  return execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; COMMIT");
}

base::Result<void> Database::execute(const char* sql) {
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error_of(database_.get(), code, *path_);
  return {};
}

base::Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return error_of(database_.get(), code, *path_);
  return Statement(database_.get(), statement, path_.get());
}

base::Result<std::string> Database::ask(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  auto found = statement->step();
  if (!found) return found.error();
  return *found ? statement->text() : std::string();
}

}  // namespace heddle::propagate
