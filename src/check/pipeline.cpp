// SPDX-License-Identifier: Apache-2.0
#include "check/pipeline.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace heddle::check {
namespace {

// More: workers wait less for a piece that takes long. Fewer: less is prepared
// that turns out not to be needed.
constexpr size_t kPiecesAhead = 2;  // for each worker

}  // namespace

Pipeline::Pipeline(Tasks tasks, size_t workers)
    : tasks_(std::move(tasks)), workers_(workers), window_size_(workers == 1 ? 1 : kPiecesAhead * workers) {}

void Pipeline::run() {
  fill_window();
  std::vector<std::thread> others;
  for (size_t worker = 1; worker < workers_; ++worker) others.emplace_back([this, worker] { work(worker); });
  work(0);
  for (std::thread& other : others) other.join();
}

void Pipeline::fill_window() {
  while (window_.size() < window_size_) {
    std::unique_ptr<Piece> piece = tasks_.take();
    if (!piece) return;
    window_.push_back(std::make_unique<Slot>(Slot{std::move(piece)}));
  }
}

void Pipeline::commit_oldest(size_t worker, std::unique_lock<std::mutex>& guard) {
  is_committing_ = true;
  Slot& oldest = *window_.front();
  guard.unlock();
  const bool goes_on = tasks_.commit(worker, *oldest.piece);
  guard.lock();
  is_committing_ = false;
  if (goes_on) {
    window_.pop_front();
    fill_window();
  }
  is_stopped_ |= !goes_on;
  if (idle_ > 0) changed_.notify_all();
}

void Pipeline::work(size_t worker) {
  std::unique_lock<std::mutex> guard(lock_);
  while (!is_stopped_) {
    if (!is_committing_ && !window_.empty() && window_.front()->state == State::kPrepared) {
      commit_oldest(worker, guard);
      continue;
    }
    const auto next = std::find_if(window_.begin(), window_.end(),
                                   [](const auto& slot) { return slot->state == State::kTaken; });
    if (next != window_.end()) {
      Slot& slot = **next;
      slot.state = State::kBegun;
      guard.unlock();
      const bool goes_on = tasks_.prepare(worker, *slot.piece);
      guard.lock();
      slot.state = State::kPrepared;
      is_stopped_ |= !goes_on;
      continue;
    }
    if (window_.empty()) break;
    ++idle_;
    changed_.wait(guard);
    --idle_;
  }
  is_stopped_ = true;
  changed_.notify_all();
}

}  // namespace heddle::check
