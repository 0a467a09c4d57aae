// SPDX-License-Identifier: Apache-2.0
#include "report/columns.h"

#include <algorithm>

namespace heddle::report {
namespace {

constexpr size_t kNumberWidth = 4;
constexpr size_t kGap = 2;  // before each column; holds the mark of a switch
constexpr size_t kLeastColumn = 14;
constexpr size_t kMostNarrowed = 18;  // how narrow columns become before the last one gives way
constexpr size_t kLeastSource = 24;
constexpr size_t kMostSource = 44;
constexpr size_t kLeastText = 24;   // beside the name of a thread; else the source is left out
constexpr size_t kLeastWidth = 36;  // of everything

// In characters, not bytes.
size_t length(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, size_t width) {
  const size_t has = length(text);
  return has < width ? text + std::string(width - has, ' ') : text;
}

// The first `width` characters, in bytes.
size_t bytes_of(const std::string& text, size_t width) {
  size_t at = 0;
  for (size_t seen = 0; at < text.size(); ++at) {
    if ((text[at] & 0xc0) != 0x80 && seen++ == width) break;
  }
  return at;
}

std::string cut(const std::string& text, size_t width) {
  if (length(text) <= width) return text;
  return width > 3 ? text.substr(0, bytes_of(text, width - 3)) + "..." : text.substr(0, bytes_of(text, width));
}

// Pieces of at most `width` characters, broken at blanks where there are any;
// pieces after the first are indented.
std::vector<std::string> broken(std::string text, size_t width) {
  std::vector<std::string> pieces;
  const std::string indent = "  ";
  while (length(text) > width) {
    const size_t most = bytes_of(text, width);
    const size_t least = pieces.empty() ? 0 : indent.size();
    size_t end = text.rfind(' ', most);
    if (end == std::string::npos || end <= least) end = most;
    pieces.push_back(text.substr(0, end));
    text = indent + text.substr(text[end] == ' ' ? end + 1 : end);
  }
  pieces.push_back(std::move(text));
  return pieces;
}

std::string without_trailing_blanks(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

// Takes from the widest of the first `count` columns until all fit into `room` or
// none is wider than `least`.
void shrink(std::vector<size_t>& widths, size_t count, size_t least, size_t room) {
  size_t total = 0;
  for (const size_t width : widths) total += width;
  for (; total > room && count > 0; --total) {
    const auto widest = std::max_element(widths.begin(), widths.begin() + static_cast<ptrdiff_t>(count));
    if (*widest <= least) return;
    --*widest;
  }
}

}  // namespace

std::string styled(const std::string& text, Style style, bool colour) {
  if (!colour || style == Style::kPlain || text.empty()) return text;
  const char* code = "0";
  switch (style) {
    case Style::kPlain: break;
    case Style::kBold: code = "1"; break;
    case Style::kDim: code = "2"; break;
    case Style::kRed: code = "1;31"; break;
    case Style::kYellow: code = "33"; break;
    case Style::kCyan: code = "36"; break;
  }
  return "\x1b[" + std::string(code) + "m" + text + "\x1b[0m";
}

Columns::Columns(std::vector<std::string> names, const std::vector<Row>& rows, const ColumnOptions& options)
    : names_(std::move(names)), options_(options) {
  size_t source = 0;
  widths_.resize(names_.size());
  for (size_t i = 0; i < names_.size(); ++i) widths_[i] = length(names_[i]);
  for (const Row& row : rows) {
    // The end of a run may reach into the columns to its right.
    const bool may_reach = row.style == Style::kRed && row.column + 1 < names_.size();
    if (!may_reach) widths_[row.column] = std::max(widths_[row.column], length(row.text));
    source = std::max(source, length(row.source));
  }
  const size_t width = std::max(options.width, kLeastWidth);
  const auto room = [&](size_t columns, size_t wanted_source) {
    const size_t used = kNumberWidth + kGap * (columns + 1) + wanted_source;
    return width > used ? width - used : 0;
  };
  source_width_ = std::min(source, kMostSource);
  size_t least_source = std::min(source_width_, kLeastSource);
  size_t wanted = 0;
  for (const size_t column : widths_) wanted += column;
  is_list_ = names_.size() * kLeastColumn > room(names_.size(), least_source);
  if (is_list_) {
    for (const std::string& name : names_) name_width_ = std::max(name_width_, length(name));
    name_width_ = std::min(name_width_, width / 4);
    widths_ = {name_width_ + kGap + *std::max_element(widths_.begin(), widths_.end())};
    wanted = widths_[0];
    if (room(1, least_source) < name_width_ + kGap + kLeastText) source_width_ = least_source = 0;
  }
  const size_t columns = widths_.size();
  while (source_width_ > least_source && wanted > room(columns, source_width_)) --source_width_;
  shrink(widths_, columns - 1, kMostNarrowed, room(columns, source_width_));
  shrink(widths_, columns, kLeastColumn, room(columns, source_width_));
}

// The text of a row, in pieces of at most `width` characters, with the thread
// before it where it has no column of its own.
std::vector<std::string> Columns::pieces(const Row& row, size_t width) const {
  if (!is_list_) return broken(row.text, width);
  const size_t name_width = name_width_ + kGap;
  std::vector<std::string> result = broken(row.text, width > name_width ? width - name_width : 1);
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = padded(i == 0 ? cut(names_[row.column], name_width_) : "", name_width) + result[i];
  return result;
}

std::string Columns::head() const {
  std::string text = padded("step", kNumberWidth);
  if (is_list_) {
    text += std::string(kGap, ' ') + padded("thread", widths_[0]);
  } else {
    for (size_t i = 0; i < names_.size(); ++i)
      text += std::string(kGap, ' ') + padded(cut(names_[i], widths_[i]), widths_[i]);
  }
  if (source_width_ > 0) text += std::string(kGap, ' ') + "source";
  return styled(without_trailing_blanks(text), Style::kBold, options_.colour) + '\n';
}

std::string Columns::line(const Row& row) const {
  const size_t own = is_list_ ? 0 : row.column;
  size_t most = widths_[own];  // nothing else stands in this line
  for (size_t i = own + 1; i < widths_.size(); ++i) most += kGap + widths_[i];
  std::string text;
  bool first = true;
  for (const std::string& piece : pieces(row, most)) {
    const std::string number = first ? row.number : "";
    std::string line = std::string(kNumberWidth - std::min(kNumberWidth, number.size()), ' ') + number;
    for (size_t i = 0; i < own; ++i) line += std::string(kGap + widths_[i], ' ');
    line += first && row.is_switch ? "> " : std::string(kGap, ' ');
    line += styled(piece, row.style, options_.colour);
    if (first && !row.source.empty() && source_width_ > 0) {
      line += std::string(most - std::min(most, length(piece)) + kGap, ' ') +
              styled(cut(row.source, source_width_), Style::kDim, options_.colour);
    }
    text += without_trailing_blanks(line) + '\n';
    first = false;
  }
  return text;
}

std::string Columns::remark(const std::string& text) const {
  return std::string(kNumberWidth + kGap, ' ') + styled("... " + text, Style::kDim, options_.colour) + '\n';
}

}  // namespace heddle::report
