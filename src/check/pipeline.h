// SPDX-License-Identifier: Apache-2.0
//
// Pieces of work that are prepared by several workers at once and committed one
// after the other, in the order in which they were taken.
//
//   taken:      1  2  3  4  5  6        a window of pieces
//   prepared:   x  x     x              in any order, by whoever is free
//   committed:  1, then 2, then (when it is prepared) 3
//
// Whoever is free commits the oldest piece if it is prepared, else prepares the
// oldest that nobody has begun, else does something that will be of use later.
// Pieces are taken only between two commits, by who has committed, so
// taking and committing need no locks of their own. One worker means no
// threads, and a window of one: then nothing is prepared ahead.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace heddle::check {

class Pipeline {
 public:
  struct Piece {
    virtual ~Piece() = default;
  };
  struct Tasks {
    // None: there is nothing more until something else is committed.
    std::function<std::unique_ptr<Piece>()> take;
    // By any worker. False: all is to stop.
    std::function<bool(size_t worker, Piece& piece)> prepare;
    // By any worker, one at a time. False: all is to stop.
    std::function<bool(size_t worker, Piece& piece)> commit;
    // By any worker that would have to wait. False: there is nothing of that kind now.
    std::function<bool(size_t worker)> work_ahead;
  };

  Pipeline(Tasks tasks, size_t workers);

  // Until there is nothing more, or all is to stop.
  void run();
  // Then: the oldest piece that was not committed; null: none.
  Piece* oldest() const { return window_.empty() ? nullptr : window_.front()->piece.get(); }

 private:
  enum class State : uint8_t { kTaken, kBegun, kPrepared };
  struct Slot {
    std::unique_ptr<Piece> piece;
    State state = State::kTaken;
  };

  void work(size_t worker);
  void work_or_stop(size_t worker);  // what is thrown ends all workers
  void commit_oldest(size_t worker, std::unique_lock<std::mutex>& guard);
  std::vector<std::unique_ptr<Slot>> take(size_t most);
  void add(std::vector<std::unique_ptr<Slot>> more);

  const Tasks tasks_;
  const size_t workers_, window_size_;
  std::mutex lock_;  // of all that follows
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Slot>> window_;
  size_t idle_ = 0;
  bool is_committing_ = false, is_stopped_ = false;
};

}  // namespace heddle::check
