// SPDX-License-Identifier: Apache-2.0
// map, unordered_map, list, deque, set and string grow under one mutex and end up complete.
// heddle: expect exit 0
// heddle: stdout map 6 unordered 6 list 6 deque 6 set 3 text 6
// heddle: schedules all
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>

std::mutex mutex;
std::map<int, std::string> tree;
std::unordered_map<std::string, int> table;
std::list<int> list;
std::deque<int> deque;
std::set<int> set;
std::string text;

void work(int base) {
  for (int i = 0; i < 3; i++) {
    std::lock_guard<std::mutex> guard(mutex);
    tree[base + i] = std::to_string(base + i);
    table["key " + std::to_string(base + i)] = i;
    list.push_front(base);
    deque.push_back(i);
    set.insert(i);
    text += static_cast<char>('a' + i);
  }
}

int main() {
  std::thread first(work, 0), second(work, 10);
  first.join();
  second.join();
  std::printf("map %zu unordered %zu list %zu deque %zu set %zu text %zu\n", tree.size(), table.size(), list.size(),
              deque.size(), set.size(), text.size());
  return tree.begin()->second == "0" && table.at("key 12") == 2 ? 0 : 1;
}
