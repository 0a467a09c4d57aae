// SPDX-License-Identifier: Apache-2.0
//
// An execution as bytes and back, for checkpoints. Ids of threads and histories
// are those of the tables at hand; who reads them back needs the same tables.
// Choice points are not kept.
#pragma once

#include "base/bytes.h"
#include "causal/execution.h"

namespace heddle::causal {

void write_execution(const Execution& execution, base::ByteWriter& out);

// The reader fails if what it finds is no execution.
Execution read_execution(base::ByteReader& in);

}  // namespace heddle::causal
