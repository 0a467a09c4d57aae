// SPDX-License-Identifier: Apache-2.0
#include "packet_writer.h"

#include <cstdio>
#include <cstdlib>

namespace stepping {

PacketWriter::Kind PacketWriter::kind_of(uint64_t address, unsigned& size) const {
  const uint8_t* at = &code_.bytes[address - code_.begin];
  unsigned prefixes = 0;
  // Prefixes that branches have: bnd, rep (of a return), notrack, REX.
  while (at[prefixes] == 0xf2 || at[prefixes] == 0xf3 || at[prefixes] == 0x3e || at[prefixes] == 0x2e ||
         (at[prefixes] & 0xf0) == 0x40)
    ++prefixes;
  at += prefixes;
  size = prefixes;
  if (at[0] >= 0x70 && at[0] <= 0x7f) return size += 2, Kind::kConditional;
  if (at[0] >= 0xe0 && at[0] <= 0xe3) return size += 2, Kind::kConditional;
  if (at[0] == 0x0f && at[1] >= 0x80 && at[1] <= 0x8f) return size += 6, Kind::kConditional;
  if (at[0] == 0xe8 || at[0] == 0xe9 || at[0] == 0xeb) return Kind::kDirect;
  if (at[0] == 0xc3 || at[0] == 0xc2) return Kind::kIndirect;
  const unsigned extension = at[1] >> 3 & 7;
  if (at[0] == 0xff && (extension == 2 || extension == 4)) return Kind::kIndirect;
  return Kind::kOther;
}

void PacketWriter::write(const pt_packet& packet) {
  if (overflows_ || drops_) return;
  uint8_t buffer[64];
  pt_config config;
  pt_config_init(&config);
  config.begin = buffer;
  config.end = buffer + sizeof buffer;
  pt_encoder* encoder = pt_alloc_encoder(&config);
  const int size = encoder ? pt_enc_next(encoder, &packet) : -1;
  if (size < 0) {
    std::fprintf(stderr, "cannot encode a packet of type %d: %s\n", packet.type, pt_errstr(pt_errcode(size)));
    std::abort();
  }
  pieces_.back().append(reinterpret_cast<char*>(buffer), static_cast<size_t>(size));
  pt_free_encoder(encoder);
}

void PacketWriter::write_address(pt_packet_type type, uint64_t address) {
  pt_packet packet = {};
  packet.type = type;
  packet.payload.ip.ipc = pt_ipc_sext_48;
  packet.payload.ip.ip = address & 0xffffffffffffull;
  write(packet);
}

void PacketWriter::write_suppressed(pt_packet_type type) {
  pt_packet packet = {};
  packet.type = type;
  packet.payload.ip.ipc = pt_ipc_suppressed;
  write(packet);
}

void PacketWriter::write_time(uint64_t time) {
  pt_packet packet = {};
  packet.type = ppt_tsc;
  packet.payload.tsc.tsc = time;
  write(packet);
  packet = {};
  packet.type = ppt_cbr;
  packet.payload.cbr.ratio = 24;
  write(packet);
}

void PacketWriter::write_mode() {
  pt_packet packet = {};
  packet.type = ppt_mode;
  packet.payload.mode.leaf = pt_mol_exec;
  packet.payload.mode.bits.exec = pt_set_exec_mode(ptem_64bit);
  write(packet);
}

void PacketWriter::flush() {
  for (size_t first = 0; first < bits_.size();) {
    pt_packet packet = {};
    const size_t count = std::min<size_t>(bits_.size() - first, bits_.size() - first > 6 ? 47 : 6);
    packet.type = count > 6 ? ppt_tnt_64 : ppt_tnt_8;
    packet.payload.tnt.bit_size = static_cast<uint8_t>(count);
    for (size_t i = 0; i < count; ++i) packet.payload.tnt.payload = packet.payload.tnt.payload << 1 | bits_[first + i];
    write(packet);
    first += count;
  }
  bits_.clear();
}

void PacketWriter::synchronise(uint64_t time, uint64_t address, bool is_enabled) {
  flush();
  pt_packet packet = {};
  packet.type = ppt_psb;
  write(packet);
  write_time(time);
  if (is_enabled) {
    write_mode();
    write_address(ppt_fup, address);
  }
  packet.type = ppt_psbend;
  write(packet);
}

void PacketWriter::enable(uint64_t time, uint64_t address) {
  if (wants_time_) write_time(time);
  wants_time_ = false;
  write_mode();
  write_address(ppt_tip_pge, address);
  enabled_ = true;
}

void PacketWriter::comes(uint64_t time, uint64_t address) {
  wants_time_ = true;
  if (code_.has(address)) enable(time, address);
}

void PacketWriter::leaves(uint64_t address) {
  if (!enabled_) return;
  flush();
  write_address(ppt_fup, address);
  write_suppressed(ppt_tip_pgd);
  enabled_ = false;
}

void PacketWriter::executed(uint64_t time, uint64_t from, uint64_t to) {
  if (!enabled_) {
    if (code_.has(to)) enable(time, to);
    return;
  }
  unsigned size = 0;
  const Kind kind = kind_of(from, size);
  if (kind == Kind::kConditional && !overflows_) bits_.push_back(to != from + size);
  if (bits_.size() >= 40) flush();
  if (!code_.has(to)) {
    flush();
    write_address(ppt_tip_pgd, to);
    enabled_ = false;
  } else if (kind == Kind::kIndirect) {
    flush();
    write_address(ppt_tip, to);
  }
}

void PacketWriter::end_overflow(uint64_t time, uint64_t address) {
  if (!overflows_) return;
  overflows_ = false;
  bits_.clear();
  pt_packet packet = {};
  packet.type = ppt_ovf;
  write(packet);
  write_time(time);
  if (enabled_) write_address(ppt_fup, address);
}

void PacketWriter::damage() {
  flush();
  if (!overflows_ && !drops_) pieces_.back() += "\x02\x0b\x02\x0b";
}

void PacketWriter::end_piece() {
  flush();
  drops_ = true;
  pieces_.emplace_back();
}

}  // namespace stepping
