// SPDX-License-Identifier: Apache-2.0
//
// Steps of several threads side by side, one column for each thread:
//
//   step  T0 main         T0.0 increment      source
//      2  creates T0.0                        19  pthread_create(&first, ...
//      7                > reads counter: 0    13  counter++;
//
// Columns are as wide as what they hold. Where the width is not enough they are
// narrower: texts then reach into the columns to their right, which are empty in
// that line, and are broken at blanks at the end. If that would leave too little
// for each, there is one column for all threads, and each step names its thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::report {

enum class Style { kPlain, kBold, kDim, kRed, kYellow, kCyan };

// `text` as it is to be sent to a terminal.
std::string styled(const std::string& text, Style style, bool colour);

struct Row {
  std::string number;
  size_t column = 0;
  std::string text;
  std::string source;
  Style style = Style::kPlain;
  bool is_switch = false;  // the step before was another thread's
};

struct ColumnOptions {
  size_t width = 100;
  bool colour = false;
};

class Columns {
 public:
  // All rows that will be printed, to know how wide they are. `names` are the
  // heads of the columns.
  Columns(std::vector<std::string> names, const std::vector<Row>& rows, const ColumnOptions& options);

  std::string head() const;
  // One line, or several where the text is too long; each ends with a newline.
  std::string line(const Row& row) const;
  // A remark across all columns.
  std::string remark(const std::string& text) const;

 private:
  std::vector<std::string> pieces(const Row& row, size_t width) const;

  std::vector<std::string> names_;
  ColumnOptions options_;
  bool is_list_ = false;  // one column for all threads
  size_t name_width_ = 0;
  std::vector<size_t> widths_;
  size_t source_width_ = 0;
};

}  // namespace heddle::report
