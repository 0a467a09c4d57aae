// SPDX-License-Identifier: Apache-2.0
#include "record/pt/decoder.h"

#include <fmt/format.h>
#include <intel-pt.h>

#include <memory>
#include <utility>

namespace heddle::record::pt {
namespace {

constexpr uint64_t kMostWithoutPackets = 1 << 20;  // instructions; who goes on longer runs round in circles
constexpr uint64_t kMostAfterLastPacket = 1 << 12;

struct FreeDecoder {
  void operator()(pt_insn_decoder* decoder) const { ::pt_insn_free_decoder(decoder); }
};

class CoreDecoder {
 public:
  CoreDecoder(const CodeImage& image, CoreListener& listener) : image_(image), listener_(listener) {}

  void decode(const std::string& piece) {
    std::string bytes = piece;
    pt_config config;
    ::pt_config_init(&config);
    config.begin = reinterpret_cast<uint8_t*>(bytes.data());
    config.end = config.begin + bytes.size();
    decoder_.reset(::pt_insn_alloc_decoder(&config));
    if (!decoder_ || ::pt_insn_set_image(decoder_.get(), image_.get()) < 0) return lose();
    bool is_first = true;
    for (int status = ::pt_insn_sync_forward(decoder_.get());; status = ::pt_insn_sync_forward(decoder_.get())) {
      if (status < 0) break;
      uint64_t offset = 0;
      if (is_first && (::pt_insn_get_sync_offset(decoder_.get(), &offset) < 0 || offset != 0)) lose();
      is_first = false;
      status = follow(status);
      if (status != -pte_eos) lose();
    }
    if (is_first && !bytes.empty()) lose();  // nowhere to begin
    decoder_.reset();
  }

  // From now on something is missing, until there is a later time.
  void lose() {
    if (!lost_since_) lost_since_ = time_.value_or(0);
    is_announced_ = false;
  }

  void finish() {
    if (lost_since_) listener_.lost(*lost_since_, UINT64_MAX);
  }

 private:
  // Until something does not fit, or the end; says which.
  int follow(int status) {
    uint64_t offset = 0, since_packet = 0;
    is_announced_ = false;
    for (;;) {
      while (status >= 0 && status & pts_event_pending) {
        pt_event event = {};
        status = ::pt_insn_event(decoder_.get(), &event, sizeof event);
        if (status >= 0) take(event);
      }
      if (status < 0) return status;
      const bool at_end = status & pts_eos;
      pt_insn instruction = {};
      status = ::pt_insn_next(decoder_.get(), &instruction, sizeof instruction);
      if (instruction.iclass != ptic_error && knows_thread()) listener_.executed(instruction.ip);
      if (status < 0) return status;
      const uint64_t before = std::exchange(offset, packet_offset());
      since_packet = at_end || before == offset ? since_packet + 1 : 0;
      if (since_packet > (at_end ? kMostAfterLastPacket : kMostWithoutPackets))
        return at_end ? -pte_eos : -pte_bad_insn;
    }
  }

  uint64_t packet_offset() const {
    uint64_t offset = 0;
    return ::pt_insn_get_offset(decoder_.get(), &offset) == 0 ? offset : 0;
  }

  void take(const pt_event& event) {
    if (event.type == ptev_overflow) lose();
    if (event.type != ptev_enabled) return;  // others may be told before an overflow, with a time after it
    if (event.has_tsc) time_ = event.tsc;
    is_announced_ = false;
  }

  // Whose instructions these are follows from the time at which the core goes on with them. The decoder
  // itself has read ahead, maybe into the turn of another thread: its time tells only until when something is missing.
  bool knows_thread() {
    if (is_announced_) return true;
    if (!time_ && !lost_since_) lost_since_ = 0;
    if (lost_since_) {
      uint64_t now = 0;
      uint32_t lost_mtc = 0, lost_cyc = 0;
      if (::pt_insn_time(decoder_.get(), &now, &lost_mtc, &lost_cyc) != 0 || now <= *lost_since_) return false;
      listener_.lost(*lost_since_, now);
      lost_since_.reset();
      time_ = now;
    }
    listener_.goes_on(*time_);
    is_announced_ = true;
    return true;
  }

  const CodeImage& image_;
  CoreListener& listener_;
  std::unique_ptr<pt_insn_decoder, FreeDecoder> decoder_;
  std::optional<uint64_t> time_;  // when the core last went on, and surely not later
  std::optional<uint64_t> lost_since_;
  bool is_announced_ = false;
};

}  // namespace

base::Result<CodeImage> CodeImage::load(const std::vector<Mapping>& mappings) {
  CodeImage image;
  image.image_ = ::pt_image_alloc(nullptr);
  if (!image.image_) return base::Error{"no memory for the code of the program", ""};
  for (const Mapping& mapping : mappings) {
    const int status = ::pt_image_add_file(image.image_, mapping.file.c_str(), mapping.file_offset, mapping.size,
                                           nullptr, mapping.address);
    if (status < 0)
      return base::Error{fmt::format("cannot read the code in {}: {}", mapping.file, ::pt_errstr(::pt_errcode(status))),
                         ""};
  }
  return image;
}

CodeImage::CodeImage(CodeImage&& other) noexcept : image_(std::exchange(other.image_, nullptr)) {}

CodeImage::~CodeImage() {
  if (image_) ::pt_image_free(image_);
}

void decode_core(const CoreStream& stream, const CodeImage& image, CoreListener& listener) {
  CoreDecoder decoder(image, listener);
  for (size_t i = 0; i < stream.pieces.size(); ++i) {
    if (i > 0) decoder.lose();
    decoder.decode(stream.pieces[i]);
  }
  decoder.finish();
}

}  // namespace heddle::record::pt
