// SPDX-License-Identifier: Apache-2.0
// std::string of C++17, whose members lie in libstdc++.so: short and long strings, overlap, exceptions.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -std=c++17
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>

static std::string shared;
static std::mutex mutex;

static void edit() {
  std::string text = "short";
  text += " and then longer than the local buffer";
  assert(text.size() == 43 && text.find("then") == 10 && text.rfind('o') == 32);
  text.insert(5, "er").erase(0, 2).replace(0, 3, "ROT");
  assert(text.substr(0, 6) == "ROTer " && text.compare(0, 3, "ROT") == 0);
  text.append(text, 0, 5);
  assert(text.find_first_of("xyz") == std::string::npos && text.find_last_not_of("ROTer") == text.size() - 8);
  std::string moved = std::move(text), copy = moved;
  assert(moved == copy && copy > "ROT" && std::stoi(std::to_string(42)) == 42);
  copy.resize(3);
  copy.push_back('!');
  copy.assign(copy, 1, 3).swap(moved);
  assert(moved == "OT!" && "x" + moved + 'y' == "xOT!y");
  try {
    moved.at(7);
    assert(false);
  } catch (const std::out_of_range&) {
  }
  try {
    throw std::runtime_error(copy);
  } catch (const std::runtime_error& error) {
    assert(error.what() == copy);
  }
}

int main() {
  edit();
  std::thread other([] {
    const std::lock_guard<std::mutex> guard(mutex);
    shared += "a text that needs memory of its own;";
  });
  {
    const std::lock_guard<std::mutex> guard(mutex);
    shared += "a text that needs memory of its own;";
  }
  other.join();
  assert(shared.size() == 72 && shared.substr(0, 36) == shared.substr(36));
  std::unordered_map<std::string, int> numbers;
  for (int i = 0; i < 40; i++) numbers["key" + std::to_string(i)] = i;
  for (int i = 0; i < 40; i++) assert(numbers.at("key" + std::to_string(i)) == i);
  return 0;
}
