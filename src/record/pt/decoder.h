// SPDX-License-Identifier: Apache-2.0
//
// From the packets of one core and the code of the program to the instructions that the core
// executed (with libipt). Streams are untrusted input; what cannot be followed is told as lost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/pt/pt_trace.h"

struct pt_image;

namespace heddle::record::pt {

// The code of the program, from its files.
class CodeImage {
 public:
  static base::Result<CodeImage> load(const std::vector<Mapping>& mappings);
  CodeImage(CodeImage&& other) noexcept;
  CodeImage& operator=(CodeImage&&) = delete;
  ~CodeImage();
  pt_image* get() const { return image_; }

 private:
  CodeImage() = default;
  pt_image* image_ = nullptr;
};

// Told in the order of execution.
class CoreListener {
 public:
  virtual ~CoreListener() = default;
  // The core goes on with the program, at this time at the earliest; until it is said again the same thread
  // has the core.
  virtual void goes_on(uint64_t time) = 0;
  virtual void executed(uint64_t address) = 0;
  // Between these times instructions are missing, whatever thread had the core.
  virtual void lost(uint64_t first, uint64_t last) = 0;
};

void decode_core(const CoreStream& stream, const CodeImage& image, CoreListener& listener);

}  // namespace heddle::record::pt
