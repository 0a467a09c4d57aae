// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing descriptors: read, recv and write, send with their
// relatives. All of them move the bytes of a list of parts. A blocking write
// goes on until everything is written, as in the kernel; each piece that goes
// through is an operation.
#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "abi/hooks.h"
#include "descriptors.h"
#include "given_inputs.h"

using namespace heddle::rt;

namespace {

struct Transfer {
  uint8_t kind;        // HEDDLE_DESCRIPTOR_READ or _WRITE
  bool message;        // recvmsg and sendmsg, else readv and writev
  int flags;           // of a message
  struct msghdr body;  // the parts that are left, and the rest of a message
};

constexpr int kMostParts = 1024;  // the kernel allows no more

ssize_t attempt(const Descriptor& descriptor, Transfer& transfer) {
  const bool reads = transfer.kind == HEDDLE_DESCRIPTOR_READ;
  if (transfer.message) {
    HEDDLE_REAL(recvmsg);
    HEDDLE_REAL(sendmsg);
    const int flags = transfer.flags | (descriptor.waits ? MSG_DONTWAIT : 0);
    return reads ? real_recvmsg(descriptor.number, &transfer.body, flags)
                 : real_sendmsg(descriptor.number, &transfer.body, flags);
  }
  HEDDLE_REAL(readv);
  HEDDLE_REAL(writev);
  const NonBlocking now(descriptor);
  const int count = static_cast<int>(transfer.body.msg_iovlen);
  return reads ? real_readv(descriptor.number, transfer.body.msg_iov, count)
               : real_writev(descriptor.number, transfer.body.msg_iov, count);
}

// One operation: when it need not block.
ssize_t transfer_some(const Descriptor& descriptor, Transfer& transfer) {
  Thread& self = *g.current;
  struct pollfd watched = {descriptor.number, 0, 0};
  watched.events = transfer.kind == HEDDLE_DESCRIPTOR_READ ? POLLIN : POLLOUT;
  DescriptorWait wait = {&watched, 1};
  for (;;) {
    take_descriptor_turn(self, transfer.kind, descriptor.number, descriptor.waits ? &wait : nullptr);
    const ssize_t moved = record_call(self, transfer.kind, descriptor.number, attempt(descriptor, transfer));
    // Ready, but not for so much, or somebody outside was faster.
    if (moved >= 0 || errno != EAGAIN || !descriptor.waits) return moved;
  }
}

// Drops the first bytes of the parts; false if none are left.
bool skip(struct msghdr& body, size_t bytes) {
  while (body.msg_iovlen && bytes >= body.msg_iov->iov_len) {
    bytes -= body.msg_iov->iov_len;
    ++body.msg_iov, --body.msg_iovlen;
  }
  if (!body.msg_iovlen) return false;
  body.msg_iov->iov_base = static_cast<char*>(body.msg_iov->iov_base) + bytes;
  body.msg_iov->iov_len -= bytes;
  return true;
}

ssize_t perform(int number, Transfer& transfer) {
  const bool reads = transfer.kind == HEDDLE_DESCRIPTOR_READ;
  Descriptor descriptor = examine_descriptor(number, reads ? POLLIN : POLLOUT);
  if (transfer.flags & MSG_DONTWAIT) descriptor.waits = false;
  const bool everything = descriptor.waits && (!reads || (transfer.flags & MSG_WAITALL));
  ssize_t total = 0;
  for (;;) {
    const ssize_t moved = transfer_some(descriptor, transfer);
    if (moved < 0) return total ? total : moved;
    total += moved;
    if (!everything || !moved || !skip(transfer.body, static_cast<size_t>(moved))) return total;
    transfer.body.msg_control = nullptr;  // it went with the first bytes
    transfer.body.msg_controllen = 0;
  }
}

// With a list of one part.
ssize_t perform_one(int number, uint8_t kind, bool message, void* bytes, size_t size, int flags, void* name,
                    socklen_t* name_size) {
  struct iovec part = {bytes, size};
  Transfer transfer = {kind, message, flags, {}};
  transfer.body.msg_iov = &part;
  transfer.body.msg_iovlen = 1;
  transfer.body.msg_name = name;
  transfer.body.msg_namelen = name_size ? *name_size : 0;
  const ssize_t result = perform(number, transfer);
  if (name_size) *name_size = transfer.body.msg_namelen;
  return result;
}

// Parts of the program, to be used up; what a write reads is read here.
struct Parts {
  struct iovec items[kMostParts];
  Parts(const struct iovec* given, size_t count, bool written) {
    const uint32_t site = g.current->site;
    __heddle_read(given, items, count * sizeof *given, site);
    for (size_t i = 0; written && i < count; ++i) __heddle_range_read(items[i].iov_base, items[i].iov_len, site);
  }
};

void report_read(const struct iovec* parts, size_t count, ssize_t bytes) {
  for (size_t i = 0; i < count && bytes > 0; ++i) {
    const size_t piece = parts[i].iov_len < static_cast<size_t>(bytes) ? parts[i].iov_len : static_cast<size_t>(bytes);
    __heddle_range_written(parts[i].iov_base, piece, g.current->site);
    bytes -= static_cast<ssize_t>(piece);
  }
}

ssize_t move_parts(int number, uint8_t kind, const struct iovec* given, int count) {
  if (count < 0 || count > kMostParts) {
    errno = EINVAL;
    return -1;
  }
  Parts parts(given, static_cast<size_t>(count), kind == HEDDLE_DESCRIPTOR_WRITE);
  Transfer transfer = {kind, false, 0, {}};
  transfer.body.msg_iov = parts.items;
  transfer.body.msg_iovlen = static_cast<size_t>(count);
  const ssize_t result = perform(number, transfer);
  if (kind == HEDDLE_DESCRIPTOR_READ) report_read(given, static_cast<size_t>(count), result);
  return result;
}

ssize_t move_message(int number, uint8_t kind, struct msghdr* given, int flags) {
  if (given->msg_iovlen > kMostParts) {
    errno = EMSGSIZE;
    return -1;
  }
  const uint32_t site = g.current->site;
  const bool reads = kind == HEDDLE_DESCRIPTOR_READ;
  Transfer transfer = {kind, true, flags, {}};
  __heddle_read(given, &transfer.body, sizeof transfer.body, site);
  Parts parts(given->msg_iov, given->msg_iovlen, !reads);
  transfer.body.msg_iov = parts.items;
  const ssize_t result = perform(number, transfer);
  if (!reads || result < 0) return result;
  report_read(given->msg_iov, given->msg_iovlen, result);
  given->msg_namelen = transfer.body.msg_namelen;
  given->msg_controllen = transfer.body.msg_controllen;
  given->msg_flags = transfer.body.msg_flags;
  __heddle_range_written(given, sizeof *given, site);
  if (given->msg_name) __heddle_range_written(given->msg_name, given->msg_namelen, site);
  if (given->msg_control) __heddle_range_written(given->msg_control, given->msg_controllen, site);
  return result;
}

}  // namespace

HEDDLE_EXPORT ssize_t read(int number, void* bytes, size_t size) {
  HEDDLE_UNLESS_PROGRAM(read, number, bytes, size)
  if (const HeddleGivenCall* given = given_read(number)) return put_given(*given, bytes, size);
  return perform_one(number, HEDDLE_DESCRIPTOR_READ, false, bytes, size, 0, nullptr, nullptr);
}
HEDDLE_EXPORT ssize_t write(int number, const void* bytes, size_t size) {
  HEDDLE_UNLESS_PROGRAM(write, number, bytes, size)
  return perform_one(number, HEDDLE_DESCRIPTOR_WRITE, false, const_cast<void*>(bytes), size, 0, nullptr, nullptr);
}
HEDDLE_EXPORT ssize_t readv(int number, const struct iovec* parts, int count) {
  HEDDLE_UNLESS_PROGRAM(readv, number, parts, count)
  return move_parts(number, HEDDLE_DESCRIPTOR_READ, parts, count);
}
HEDDLE_EXPORT ssize_t writev(int number, const struct iovec* parts, int count) {
  HEDDLE_UNLESS_PROGRAM(writev, number, parts, count)
  return move_parts(number, HEDDLE_DESCRIPTOR_WRITE, parts, count);
}
HEDDLE_EXPORT ssize_t recv(int number, void* bytes, size_t size, int flags) {
  HEDDLE_UNLESS_PROGRAM(recv, number, bytes, size, flags)
  if (const HeddleGivenCall* given = given_read(number)) return put_given(*given, bytes, size);
  return perform_one(number, HEDDLE_DESCRIPTOR_READ, true, bytes, size, flags, nullptr, nullptr);
}
HEDDLE_EXPORT ssize_t send(int number, const void* bytes, size_t size, int flags) {
  HEDDLE_UNLESS_PROGRAM(send, number, bytes, size, flags)
  return perform_one(number, HEDDLE_DESCRIPTOR_WRITE, true, const_cast<void*>(bytes), size, flags, nullptr, nullptr);
}
HEDDLE_EXPORT ssize_t recvfrom(int number, void* bytes, size_t size, int flags, struct sockaddr* from,
                               socklen_t* from_size) {
  HEDDLE_UNLESS_PROGRAM(recvfrom, number, bytes, size, flags, from, from_size)
  // Who sent it was not noted.
  if (const HeddleGivenCall* given = given_read(number); given && !from) return put_given(*given, bytes, size);
  const ssize_t result =
      perform_one(number, HEDDLE_DESCRIPTOR_READ, true, bytes, size, flags, from, from ? from_size : nullptr);
  if (result < 0 || !from) return result;
  __heddle_range_written(from_size, sizeof *from_size, g.current->site);
  __heddle_range_written(from, *from_size, g.current->site);
  return result;
}
HEDDLE_EXPORT ssize_t sendto(int number, const void* bytes, size_t size, int flags, const struct sockaddr* to,
                             socklen_t to_size) {
  HEDDLE_UNLESS_PROGRAM(sendto, number, bytes, size, flags, to, to_size)
  return perform_one(number, HEDDLE_DESCRIPTOR_WRITE, true, const_cast<void*>(bytes), size, flags,
                     const_cast<struct sockaddr*>(to), &to_size);
}
HEDDLE_EXPORT ssize_t recvmsg(int number, struct msghdr* message, int flags) {
  HEDDLE_UNLESS_PROGRAM(recvmsg, number, message, flags)
  return move_message(number, HEDDLE_DESCRIPTOR_READ, message, flags);
}
HEDDLE_EXPORT ssize_t sendmsg(int number, const struct msghdr* message, int flags) {
  HEDDLE_UNLESS_PROGRAM(sendmsg, number, message, flags)
  return move_message(number, HEDDLE_DESCRIPTOR_WRITE, const_cast<struct msghdr*>(message), flags);
}

// What -D_FORTIFY_SOURCE calls; the compiler has checked what it can.
HEDDLE_EXPORT ssize_t __read_chk(int number, void* bytes, size_t size, size_t) {
  HEDDLE_UNLESS_PROGRAM(read, number, bytes, size)
  if (const HeddleGivenCall* given = given_read(number)) return put_given(*given, bytes, size);
  return perform_one(number, HEDDLE_DESCRIPTOR_READ, false, bytes, size, 0, nullptr, nullptr);
}
HEDDLE_EXPORT ssize_t __recv_chk(int number, void* bytes, size_t size, size_t, int flags) {
  HEDDLE_UNLESS_PROGRAM(recv, number, bytes, size, flags)
  if (const HeddleGivenCall* given = given_read(number)) return put_given(*given, bytes, size);
  return perform_one(number, HEDDLE_DESCRIPTOR_READ, true, bytes, size, flags, nullptr, nullptr);
}
