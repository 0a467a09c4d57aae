// SPDX-License-Identifier: Apache-2.0
// std::list: splice, merge, sort, reverse, swap with empty and full lists, erase and unique.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <list>
#include <vector>

using List = std::list<int>;

static void expect(const List& list, const std::vector<int>& wanted) {
  assert(list.size() == wanted.size());
  assert(std::vector<int>(list.begin(), list.end()) == wanted);
  assert(std::vector<int>(list.rbegin(), list.rend()) == std::vector<int>(wanted.rbegin(), wanted.rend()));
}

int main() {
  List a = {5, 1, 4, 2, 3}, b = {9, 8}, empty, other;
  a.splice(std::next(a.begin()), b);
  expect(a, {5, 9, 8, 1, 4, 2, 3});
  expect(b, {});
  b.splice(b.end(), a, a.begin());
  b.splice(b.begin(), a, a.begin(), std::next(a.begin(), 2));
  expect(a, {1, 4, 2, 3});
  expect(b, {9, 8, 5});
  a.splice(a.begin(), a, std::prev(a.end()));
  expect(a, {3, 1, 4, 2});
  a.sort();
  b.sort();
  expect(a, {1, 2, 3, 4});
  a.merge(b);
  expect(a, {1, 2, 3, 4, 5, 8, 9});
  a.reverse();
  empty.reverse();
  expect(a, {9, 8, 5, 4, 3, 2, 1});
  a.swap(empty);
  expect(a, {});
  expect(empty, {9, 8, 5, 4, 3, 2, 1});
  a.swap(other);
  expect(a, {});
  a = {7};
  a.swap(empty);
  expect(empty, {7});
  a.remove_if([](int value) { return value % 2; });
  expect(a, {8, 4, 2});
  a.insert(std::next(a.begin()), {4, 4});
  a.unique();
  expect(a, {8, 4, 2});
  a.erase(a.begin());
  a.clear();
  expect(a, {});
  return 0;
}
