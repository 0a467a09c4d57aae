// SPDX-License-Identifier: Apache-2.0
//
// The file of a recording while it is being made: laid out before the program starts, finished when
// it has ended.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "record/recording.h"

namespace heddle::record {

class RecordingFile {
 public:
  struct Limits {
    uint64_t keep_last = 0;  // bytes; 0: everything
    bool marks_cores = true;
    uint64_t stamp_margin = 0;  // ticks; 0: no stamps
    bool values = false;        // of what threads read
  };
  static base::Result<RecordingFile> create(const std::string& path, const Facts& facts, const Limits& limits);
  RecordingFile(RecordingFile&& other) noexcept;
  RecordingFile& operator=(RecordingFile&&) = delete;
  ~RecordingFile();

  int descriptor() const { return descriptor_; }
  HeddleRecording& head() { return *head_; }

  // The process is gone: says how it ended and cuts off what was never used.
  base::Result<void> finish(Ending ending, int status);
  // What it takes on the disk.
  uint64_t bytes_on_disk() const;

 private:
  RecordingFile() = default;
  int descriptor_ = -1;
  HeddleRecording* head_ = nullptr;  // mapped
  std::string path_;
};

}  // namespace heddle::record
