// SPDX-License-Identifier: Apache-2.0
//
// Models behind std::hash and the unordered containers. Hashes decide the order
// of elements, so these must give libstdc++'s own results: the hash is
// MurmurHash64A as libstdc++ seeds it, and bucket counts are left to the library,
// on a private copy of the policy.
#include <bits/hash_bytes.h>

#include <unordered_map>

// A copy of std::__detail::_Prime_rehash_policy, without constructors: those
// would learn its address, and then its accesses would be events.
struct Policy {
  float max_load_factor;
  std::size_t next_resize;
};
static_assert(sizeof(Policy) == sizeof(std::__detail::_Prime_rehash_policy));

// The library's own functions; they do not keep the address.
std::size_t native_next_bucket_count(const Policy* policy [[clang::noescape]], std::size_t count) asm(
    "__heddle_native__ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm");
std::pair<bool, std::size_t> native_need_rehash(
    const Policy* policy [[clang::noescape]], std::size_t buckets, std::size_t elements,
    std::size_t inserted) asm("__heddle_native__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm");

namespace {

constexpr std::size_t kMultiplier = 0xc6a4a7935bd1e995;

std::size_t mix(std::size_t value) { return value ^ (value >> 47); }

std::size_t read(const char* from, std::size_t size) {
  std::size_t value = 0;
  if (size == 8)
    __builtin_memcpy(&value, from, 8);
  else
    __builtin_memcpy(&value, from, size);
  return value;
}

}  // namespace

namespace std {

size_t _Hash_bytes(const void* range, size_t size, size_t seed) {
  const char* bytes = static_cast<const char*>(range);
  size_t hash = seed ^ (size * kMultiplier);
  size_t left = size;
  for (; left >= 8; left -= 8, bytes += 8)
    hash = (hash ^ (mix(read(bytes, 8) * kMultiplier) * kMultiplier)) * kMultiplier;
  if (left > 0) hash = (hash ^ read(bytes, left)) * kMultiplier;
  return mix(mix(hash) * kMultiplier);
}

namespace __detail {

size_t _Prime_rehash_policy::_M_next_bkt(size_t count) const {
  Policy own = {_M_max_load_factor, _M_next_resize};
  const size_t before = own.next_resize, result = native_next_bucket_count(&own, count);
  if (own.next_resize != before) _M_next_resize = own.next_resize;
  return result;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t inserted) const {
  Policy own = {_M_max_load_factor, _M_next_resize};
  const size_t before = own.next_resize;
  const pair<bool, size_t> result = native_need_rehash(&own, buckets, elements, inserted);
  if (own.next_resize != before) _M_next_resize = own.next_resize;
  return result;
}

}  // namespace __detail
}  // namespace std
