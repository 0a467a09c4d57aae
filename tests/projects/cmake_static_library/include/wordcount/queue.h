// SPDX-License-Identifier: Apache-2.0
//
// A queue between threads: pop waits for an item and returns nothing once the
// queue is closed and empty. Any thread may call any member.
#ifndef WORDCOUNT_QUEUE_H
#define WORDCOUNT_QUEUE_H

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace wordcount {

template <class Item>
class Queue {
 public:
  void push(Item item) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      items_.push_back(std::move(item));
    }
    changed_.notify_one();
  }

  void close() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

  std::optional<Item> pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    std::optional<Item> item(std::move(items_.front()));
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  bool closed_ = false;
};

}  // namespace wordcount

#endif
