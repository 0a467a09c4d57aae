// SPDX-License-Identifier: Apache-2.0
//
// Which places an operation touches: two operations of different threads that
// are possible at once may change places in time unless they meet at one, and
// one of them changes what is there.
//
// Places are halves of words of memory, heap blocks (released or not), and of
// objects of synchronisation their state and what attempts can tell of it.
// They are numbered: two for each slot of the layout.
#pragma once

#include <cstdint>
#include <vector>

#include "check/learn/automata.h"

namespace heddle::check::learn {

struct Model;

struct Touched {
  std::vector<uint32_t> reads, writes;  // numbers of places
};

// If races are asked for, waits for a semaphore learn which posts were before them.
Touched touched_by(const Model& model, const Point& point);

}  // namespace heddle::check::learn
