// SPDX-License-Identifier: Apache-2.0
#include "check/pipeline.h"

#include <algorithm>
#include <vector>

#include "base/thread_group.h"

namespace heddle::check {
namespace {

// More: workers wait less for a piece that takes long. Fewer: less is prepared
// that turns out not to be needed.
constexpr size_t kPiecesAhead = 8;  // for each worker

}  // namespace

Pipeline::Pipeline(Tasks tasks, size_t workers)
    : tasks_(std::move(tasks)), workers_(workers), window_size_(workers == 1 ? 1 : kPiecesAhead * workers) {}

void Pipeline::run() {
  add(take(window_size_));
  base::ThreadGroup others;
  for (size_t worker = 1; worker < workers_; ++worker) others.start([this, worker] { work_or_stop(worker); });
  others.run([this] { work_or_stop(0); });
  others.join();
}

void Pipeline::work_or_stop(size_t worker) {
  try {
    work(worker);
  } catch (...) {
    const std::lock_guard<std::mutex> guard(lock_);
    is_stopped_ = true;
    changed_.notify_all();
    throw;
  }
}

std::vector<std::unique_ptr<Pipeline::Slot>> Pipeline::take(size_t most) {
  std::vector<std::unique_ptr<Slot>> taken;
  while (taken.size() < most) {
    std::unique_ptr<Piece> piece = tasks_.take();
    if (!piece) break;
    taken.push_back(std::make_unique<Slot>(Slot{std::move(piece)}));
  }
  return taken;
}

void Pipeline::add(std::vector<std::unique_ptr<Slot>> more) {
  for (std::unique_ptr<Slot>& slot : more) window_.push_back(std::move(slot));
}

void Pipeline::commit_oldest(size_t worker, std::unique_lock<std::mutex>& guard) {
  is_committing_ = true;  // and stays so after an exception: nobody commits any more
  Slot& oldest = *window_.front();
  const size_t room = window_size_ - window_.size() + 1;
  guard.unlock();
  const bool goes_on = tasks_.commit(worker, *oldest.piece);
  std::vector<std::unique_ptr<Slot>> more;
  if (goes_on) more = take(room);
  guard.lock();
  is_committing_ = false;
  if (goes_on) {
    window_.pop_front();
    add(std::move(more));
  }
  is_stopped_ |= !goes_on;
  if (idle_ > 0) changed_.notify_all();
}

void Pipeline::work(size_t worker) {
  std::unique_lock<std::mutex> guard(lock_);
  bool is_nothing_ahead = false;
  while (!is_stopped_) {
    if (!is_committing_ && !window_.empty() && window_.front()->state == State::kPrepared) {
      commit_oldest(worker, guard);
      continue;
    }
    const auto next =
        std::find_if(window_.begin(), window_.end(), [](const auto& slot) { return slot->state == State::kTaken; });
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
    if (!is_nothing_ahead) {
      guard.unlock();
      is_nothing_ahead = !tasks_.work_ahead(worker);
      guard.lock();
      continue;
    }
    is_nothing_ahead = false;
    ++idle_;
    changed_.wait(guard);
    --idle_;
  }
  is_stopped_ = true;
  changed_.notify_all();
}

}  // namespace heddle::check
