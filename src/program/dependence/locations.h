// SPDX-License-Identifier: Apache-2.0
//
// Memory as the points-to analysis sees it: objects (a global, a local, all
// blocks that one call allocates, a function) and locations in them, an offset
// in bytes or "anywhere".
//
//   struct { long key; struct node *next; } *p;      p       -> (block, 0)
//   &p->next                                         offset 8 -> (block, 8)
//   (char *)p + i                                    unknown  -> (block, anywhere)
//
// Elements of an array are one element: offsets are folded to the first one
// wherever the type of a local or global says that there is an array. Blocks of
// the heap have no type here: their offsets are taken as they are.
//
// Where hundreds of objects of one kind, type and size flow together, they become one.
//
// Assumed of the program: arithmetic on a pointer stays within the object it
// points into, and the index of an array within that array. What the runtime or
// the language calls undefined is not followed.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::program {

using ObjectId = uint32_t;
using LocationId = uint32_t;

enum class ObjectKind : uint8_t { kGlobal, kLocal, kHeap, kFunction, kLibrary };

struct Object {
  ObjectKind kind;
  const llvm::Value* value;  // the global, alloca, call or function; may be null
  llvm::Type* type;          // null when not known
  uint64_t size;             // kUnknownSize when not known
};

inline constexpr uint64_t kUnknownSize = UINT64_MAX;
inline constexpr uint32_t kAnywhere = UINT32_MAX;

// How a pointer moves.
enum class Step : uint8_t {
  kField,    // to a field of the structure that the pointer is known to point to
  kElement,  // by a known distance, in an array of known type
  kBy,       // by a known distance, for whatever reason
  kIndex,    // by an unknown multiple of `distance`, in an array of known type
  kUnknown,  // somewhere in the object
};

class Locations {
 public:
  explicit Locations(const llvm::DataLayout& layout) : layout_(layout) {}

  ObjectId add(ObjectKind kind, const llvm::Value* value, llvm::Type* type, uint64_t size);
  LocationId at(ObjectId id, int64_t offset);
  LocationId anywhere(ObjectId object) { return location(object, kAnywhere); }
  LocationId moved(LocationId from, Step step, int64_t distance);

  // The pieces of `granule` bytes that an access of `size` bytes touches, by
  // their first byte; nothing: any piece of the object.
  std::optional<llvm::SmallVector<uint32_t, 4>> pieces(LocationId where, uint64_t size, uint32_t granule) const;

  // From now on the two are not told apart; both have the same kind, type and size.
  void merge(ObjectId kept, ObjectId gone) { kept_[gone] = kept; }
  ObjectId merged(ObjectId object) const;
  LocationId canonical(LocationId id) { return location(object_of(id), offset_of(id)); }

  const Object& object(ObjectId id) const { return objects_[id]; }
  size_t objects() const { return objects_.size(); }
  ObjectId object_of(LocationId id) const { return merged(locations_[id].first); }
  uint32_t offset_of(LocationId id) const { return locations_[id].second; }

 private:
  struct Folded {
    uint64_t offset = 0;
    uint64_t whole_element = 0;   // element of the array that the whole object is, or 0
    bool in_part = false;         // inside an array that is only part of the object
    uint64_t element_offset = 0;  // of the innermost array's first element, and its size
    uint64_t element_size = 0;
  };
  Folded fold(const Object& object, uint64_t offset) const;
  LocationId location(ObjectId object, uint32_t offset);

  const llvm::DataLayout& layout_;
  std::vector<Object> objects_;
  mutable std::vector<ObjectId> kept_;  // by object: what it was merged into, or itself
  std::vector<std::pair<ObjectId, uint32_t>> locations_;
  llvm::DenseMap<std::pair<ObjectId, uint32_t>, LocationId> ids_;
};

}  // namespace heddle::program
