// SPDX-License-Identifier: Apache-2.0
//
// Steps of the product that are missing and are put off: the exploration goes on without
// them, so that several executions that are needed become known before the first
// of them is run. Afterwards it comes back to each.
//
// Of steps that need the same of a thread to be known, only the first one is run for.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "check/learn/footprints.h"
#include "check/learn/machine.h"

namespace heddle::check::learn {

// What nobody has seen: an operation that turns out that way.
using MissingEdge = std::pair<PointId, Result>;

class PutOff {
 public:
  struct Item {
    Step step;               // that was chosen last
    uint32_t trail;          // length of the path that leads to that choice
    StepMask asleep;
    std::vector<Step> path;  // to the step that is missing, with it
    MissingEdge missing;
    bool is_run = false;     // the program was run along the path
  };

  void add(Item item) {
    const auto needs_same = [&](const MissingEdge& other) { return other == item.missing; };
    if (std::none_of(wanted_.begin(), wanted_.end(), needs_same)) {
      wanted_.push_back(item.missing);
      item.is_run = true;
      paths_.push_back(item.path);
    }
    items_.push_back(std::move(item));
  }
  // So many that executions should be run now.
  bool is_full() const { return paths_.size() >= kMostPaths || items_.size() >= kMostItems; }
  bool is_empty() const { return items_.empty(); }
  bool wants_runs() const { return !paths_.empty(); }

  // Paths along which the program is to be run; they are not given again.
  std::vector<std::vector<Step>> take_paths() {
    wanted_.clear();
    return std::exchange(paths_, {});
  }
  // The first one to come back to.
  Item take() {
    Item item = std::move(items_.front());
    items_.pop_front();
    return item;
  }
  void clear() {
    items_.clear();
    paths_.clear();
    wanted_.clear();
  }

 private:
  static constexpr size_t kMostPaths = 8;
  static constexpr size_t kMostItems = 128;

  std::deque<Item> items_;
  std::vector<std::vector<Step>> paths_;
  std::vector<MissingEdge> wanted_;
};

}  // namespace heddle::check::learn
