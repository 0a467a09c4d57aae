// SPDX-License-Identifier: Apache-2.0
//
// sbuf: the string buffer of JDK 1.4 in C++, two threads. append() asks the other
// buffer for its length, then for its characters: two locked steps, between which
// the other thread may cut the buffer.
#include <pthread.h>
#include <unistd.h>

#include <cassert>

namespace {

constexpr int kRoom = 16;

class StringBuffer {
 public:
  explicit StringBuffer(const char* text) {
    pthread_mutex_init(&lock_, nullptr);
    while (text[length_]) {
      text_[length_] = text[length_];
      ++length_;
    }
  }

  int length() {
    pthread_mutex_lock(&lock_);
    const int result = length_;
    pthread_mutex_unlock(&lock_);
    return result;
  }

  void set_length(int length) {
    pthread_mutex_lock(&lock_);
    for (int i = length; i < length_; ++i) text_[i] = 0;
    length_ = length;
    pthread_mutex_unlock(&lock_);
  }

  void get_chars(int begin, int end, char* to) {
    pthread_mutex_lock(&lock_);
    assert(end <= length_);
    for (int i = begin; i < end; ++i) to[i - begin] = text_[i];
    pthread_mutex_unlock(&lock_);
  }

  void append(StringBuffer& other) {
    pthread_mutex_lock(&lock_);
    const int more = other.length();
    usleep(3000);
    other.get_chars(0, more, text_ + length_);
    length_ += more;
    pthread_mutex_unlock(&lock_);
  }

 private:
  pthread_mutex_t lock_;
  int length_ = 0;
  char text_[2 * kRoom] = {};
};

StringBuffer* text;

void* cut(void*) {
  usleep(1000);
  text->set_length(0);
  return nullptr;
}

}  // namespace

int main() {
  StringBuffer own("hello");
  StringBuffer other("world");
  text = &other;
  pthread_t thread;
  pthread_create(&thread, nullptr, cut, nullptr);
  own.append(other);
  pthread_join(thread, nullptr);
  return own.length() == 10 ? 0 : 1;
}
