// SPDX-License-Identifier: Apache-2.0
//
// Results of operations that may fail for reasons outside the program: bad
// input, a missing tool, a full disk. Such a failure is an Error: what went
// wrong, and what the user can do about it. Programming errors are not Errors;
// they end in HEDDLE_CHECK (check.h). Expected answers (holds, violated,
// undecided) are values of their own, not Errors.
//
//   base::Result<Trace> read(const std::string& path);
//   auto trace = read(path);
//   if (!trace) return trace.error();
//   use(*trace);
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace heddle::base {

struct Error {
  std::string message;  // what, where, why; no trailing full stop or newline
  std::string hint;     // what to do now; may be empty
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_.has_value(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace heddle::base
