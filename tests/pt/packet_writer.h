// SPDX-License-Identifier: Apache-2.0
//
// What the trace unit of one core would write while it executes these instructions, with only the
// code of the program itself traced (a filter by address). Made with libipt's encoder from steps of a real
// process; knows nothing of decoding.
#pragma once

#include <intel-pt.h>

#include <cstdint>
#include <string>
#include <vector>

namespace stepping {

struct Code {
  uint64_t begin = 0, end = 0;
  std::vector<uint8_t> bytes;
  bool has(uint64_t address) const { return address >= begin && address < end; }
};

class PacketWriter {
 public:
  explicit PacketWriter(const Code& code) : code_(code) { synchronise(0, 0, false); }

  // A thread comes to the core, its next instruction is at `address`; it leaves, or is interrupted, there.
  void comes(uint64_t time, uint64_t address);
  void leaves(uint64_t address);
  // One instruction, and the one that comes after it.
  void executed(uint64_t time, uint64_t from, uint64_t to);

  // From now on packets are lost; then the unit says so and goes on.
  void begin_overflow() {
    overflows_ = true;
    bits_ = {};
  }
  void end_overflow(uint64_t time, uint64_t address);
  // A packet that nobody knows.
  void damage();
  // What was written so far is one piece; what comes until `begin_piece` is lost without a word.
  void end_piece();
  void begin_piece() { drops_ = false; }
  void synchronise(uint64_t time, uint64_t address, bool is_enabled);

  const std::vector<std::string>& pieces() const { return pieces_; }
  void finish() { flush(); }
  bool is_enabled() const { return enabled_; }

 private:
  enum class Kind { kOther, kConditional, kDirect, kIndirect };
  Kind kind_of(uint64_t address, unsigned& size) const;
  void flush();
  void enable(uint64_t time, uint64_t address);
  void write(const pt_packet& packet);
  void write_address(pt_packet_type type, uint64_t address);
  void write_suppressed(pt_packet_type type);
  void write_time(uint64_t time);
  void write_mode();

  const Code& code_;
  std::vector<std::string> pieces_ = {""};
  std::vector<bool> bits_;
  bool enabled_ = false, overflows_ = false, drops_ = false, wants_time_ = true;
};

}  // namespace stepping
