// SPDX-License-Identifier: Apache-2.0
// Random inserts and erases in map, multimap and set agree with sorted vectors, forwards and backwards.
// heddle: expect exit 0
// heddle: schedules default
#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <vector>

static unsigned state = 2024;
static int draw(int limit) { return static_cast<int>((state = state * 1103515245u + 12345u) >> 16) % limit; }

template <class Tree, class Key>
static void expect_same(const Tree& tree, const std::vector<int>& wanted, Key key) {
  assert(tree.size() == wanted.size());
  auto at = wanted.begin();
  for (const auto& entry : tree) assert(key(entry) == *at++);
  auto back = wanted.rbegin();
  for (auto entry = tree.rbegin(); entry != tree.rend(); ++entry) assert(key(*entry) == *back++);
}

int main() {
  std::map<int, int> map;
  std::multimap<int, int> many;
  std::set<int> set;
  std::vector<int> keys, all;
  for (int step = 0; step < 250; step++) {
    const int key = draw(40);
    if (draw(100) < (step < 120 ? 65 : 40)) {
      const auto place = std::lower_bound(keys.begin(), keys.end(), key);
      const bool is_new = place == keys.end() || *place != key;
      if (is_new) keys.insert(place, key);
      assert(map.emplace(key, step).second == is_new && set.insert(key).second == is_new);
      all.insert(std::upper_bound(all.begin(), all.end(), key), key);
      many.emplace(key, step);
    } else {
      const auto place = std::lower_bound(keys.begin(), keys.end(), key);
      const bool known = place != keys.end() && *place == key;
      if (known) keys.erase(place);
      assert(map.erase(key) == known && set.erase(key) == known);
      if (const auto one = std::lower_bound(all.begin(), all.end(), key); one != all.end() && *one == key) {
        all.erase(one);
        many.erase(many.find(key));
      }
    }
    if (step % 10) continue;
    expect_same(map, keys, [](const auto& entry) { return entry.first; });
    expect_same(set, keys, [](int entry) { return entry; });
    expect_same(many, all, [](const auto& entry) { return entry.first; });
  }
  while (!map.empty()) map.erase(draw(2) ? map.begin() : std::prev(map.end()));
  while (!set.empty()) set.erase(set.begin());
  assert(map.begin() == map.end() && set.begin() == set.end());
  map[3] = 1;
  assert(map.begin()->first == 3 && map.rbegin()->first == 3);
  return 0;
}
