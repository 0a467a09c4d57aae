// SPDX-License-Identifier: Apache-2.0
//
// Input streams of the C++ library (std::cin >> x, std::getline, ...), told what the
// recorded run was told: the value, and how the stream stood afterwards. Streams that
// read a text in memory are read as usual; what they bring is no input.
#include <stdlib.h>
#include <string.h>

#include "abi/cpp_streams.h"
#include "descriptors.h"
#include "given_inputs.h"

using namespace heddle::rt;

namespace {

// By the name of its buffer's type.
bool reads_file(void* stream) {
  struct Type {
    const void* table;
    const char* name;
  };
  void* buffer;
  memcpy(&buffer, heddle_ios_of(stream) + HEDDLE_ISTREAM_BUFFER, sizeof buffer);
  if (!buffer) return false;
  const Type* type;
  memcpy(&type, *static_cast<const char* const*>(buffer) - 8, sizeof type);
  return strstr(type->name, "filebuf") != nullptr;
}

// Null: the library is to be asked.
const HeddleGivenCall* given_by(void* stream, const void* return_address) {
  const HeddleGivenCall* given = called_by_program(return_address) ? given_input() : nullptr;
  return given && given->bytes >= sizeof(HeddleStreamState) && reads_file(stream) ? given : nullptr;
}

// The last of the bytes say how the stream stood.
void put_state(const HeddleGivenCall& call, void* stream) {
  HeddleStreamState state;
  memcpy(&state, given_bytes(call) + call.bytes - sizeof state, sizeof state);
  memcpy(static_cast<char*>(stream) + HEDDLE_ISTREAM_TAKEN, &state.taken, sizeof state.taken);
  memcpy(heddle_ios_of(stream) + HEDDLE_ISTREAM_STATE, &state.bits, sizeof state.bits);
}

void* put_value(const HeddleGivenCall& call, void* stream, void* value, size_t size) {
  put_state(call, stream);
  const size_t written = call.bytes - sizeof(HeddleStreamState);
  memcpy(value, given_bytes(call), written < size ? written : size);
  return stream;
}

// A text: its object as it was, then its characters if they lay elsewhere.
void* put_text(const HeddleGivenCall& call, void* stream, void* text) {
  using Replace = void* (*)(void*, size_t, size_t, const char*, size_t);
  static const Replace replace = reinterpret_cast<Replace>(
      dlsym(RTLD_DEFAULT, "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_replaceEmmPKcm"));
  const char* bytes = given_bytes(call);
  HeddleString was;
  if (call.bytes < sizeof was + sizeof(HeddleStreamState)) return stream;
  memcpy(&was, bytes, sizeof was);
  const size_t elsewhere = call.bytes - sizeof was - sizeof(HeddleStreamState);
  const char* characters = elsewhere ? bytes + sizeof was : was.room;
  if (was.size >= (elsewhere ? elsewhere : sizeof was.room)) return stream;
  put_state(call, stream);
  replace(text, 0, static_cast<HeddleString*>(text)->size, characters, was.size);
  return stream;
}

}  // namespace

#define HEDDLE_GIVEN_VALUE(symbol, bytes)                                                  \
  HEDDLE_EXPORT void* symbol(void* stream, void* value) {                                  \
    HEDDLE_REAL(symbol);                                                                   \
    const HeddleGivenCall* given = given_by(stream, __builtin_return_address(0));          \
    return given ? put_value(*given, stream, value, bytes) : real_##symbol(stream, value); \
  }
HEDDLE_GIVEN_VALUE(_ZNSirsERb, 1)
HEDDLE_GIVEN_VALUE(_ZNSirsERs, 2)
HEDDLE_GIVEN_VALUE(_ZNSirsERt, 2)
HEDDLE_GIVEN_VALUE(_ZNSirsERi, 4)
HEDDLE_GIVEN_VALUE(_ZNSirsERj, 4)
HEDDLE_GIVEN_VALUE(_ZNSirsERf, 4)
HEDDLE_GIVEN_VALUE(_ZNSirsERl, 8)
HEDDLE_GIVEN_VALUE(_ZNSirsERm, 8)
HEDDLE_GIVEN_VALUE(_ZNSirsERx, 8)
HEDDLE_GIVEN_VALUE(_ZNSirsERy, 8)
HEDDLE_GIVEN_VALUE(_ZNSirsERd, 8)
HEDDLE_GIVEN_VALUE(_ZNSi3getERc, 1)
HEDDLE_GIVEN_VALUE(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_, 1)

#define HEDDLE_GIVEN_CHARACTER(symbol)                                            \
  HEDDLE_EXPORT int symbol(void* stream) {                                        \
    HEDDLE_REAL(symbol);                                                          \
    const HeddleGivenCall* given = given_by(stream, __builtin_return_address(0)); \
    if (!given) return real_##symbol(stream);                                     \
    put_state(*given, stream);                                                    \
    return static_cast<int>(given->result);                                       \
  }
HEDDLE_GIVEN_CHARACTER(_ZNSi3getEv)
HEDDLE_GIVEN_CHARACTER(_ZNSi4peekEv)

#define HEDDLE_GETLINE \
  "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE"
#define HEDDLE_WORD "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE"
#define HEDDLE_GIVEN_TEXT(name, symbol, parameters, ...)                                           \
  HEDDLE_EXPORT void* name parameters __asm__(symbol);                                             \
  HEDDLE_EXPORT void* name parameters {                                                            \
    static const auto real_function = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, symbol)); \
    const HeddleGivenCall* given = given_by(stream, __builtin_return_address(0));                  \
    return given ? put_text(*given, stream, text) : real_function(__VA_ARGS__);                    \
  }
HEDDLE_GIVEN_TEXT(heddle_getline, HEDDLE_GETLINE, (void* stream, void* text), stream, text)
HEDDLE_GIVEN_TEXT(heddle_getline_until, HEDDLE_GETLINE "S4_", (void* stream, void* text, char end), stream, text, end)
HEDDLE_GIVEN_TEXT(heddle_word, HEDDLE_WORD, (void* stream, void* text), stream, text)
