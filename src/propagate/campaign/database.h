// SPDX-License-Identifier: Apache-2.0
//
// The door to SQLite: a database file, statements with values bound to them, and
// failures as Errors that name the file and say what to do. Nothing else in
// Heddle includes SQLite's header.
//
// A database is used by one thread at a time. Whoever writes has it alone: other
// processes are told that it is in use. Writing goes ahead of the file (WAL): what
// was committed survives the end of the process, however it ends. When the object
// goes away, all is gathered into the one file. Reading changes nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace heddle::propagate {

// One SQL statement, to be used again and again. Values are bound in the order of
// the question marks, then `step` runs it. Must not outlive its database.
class Statement {
 public:
  Statement& bind(int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view value);  // must live until the next `step`

  // Runs, or goes on, to the next row: false when there is none. After false or
  // an Error the statement can be bound again.
  base::Result<bool> step();

  // Columns of the current row, from left to right.
  int64_t integer();
  double real();
  std::string text();

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3* database, sqlite3_stmt* statement, const std::string* path);

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const std::string* path_;
  int next_value_ = 0, next_column_ = 0;
};

class Database {
 public:
  enum class Mode { kCreate, kExisting };  // kCreate refuses a file that is there

  static base::Result<Database> open(const std::string& path, Mode mode);
  Database(Database&&) noexcept = default;
  Database& operator=(Database&&) = delete;
  ~Database();

  // To be called once before the first change.
  base::Result<void> begin_to_write();
  base::Result<void> execute(const char* sql);
  base::Result<Statement> prepare(std::string_view sql);
  // The only value of the only row.
  base::Result<std::string> ask(std::string_view sql);

  const std::string& path() const { return *path_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  Database(std::string path, sqlite3* database);

  std::unique_ptr<std::string> path_;  // statements point to it
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace heddle::propagate
