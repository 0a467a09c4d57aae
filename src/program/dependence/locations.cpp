// SPDX-License-Identifier: Apache-2.0
#include "program/dependence/locations.h"

#include <llvm/IR/DerivedTypes.h>

namespace heddle::program {
namespace {

// Beyond this offset fields are not told apart: larger things are seldom structures.
constexpr uint64_t kFarthestField = 2048;
// An access of more pieces than this is taken to touch the whole object.
constexpr uint64_t kMostPieces = 32;

}  // namespace

ObjectId Locations::add(ObjectKind kind, const llvm::Value* value, llvm::Type* type, uint64_t size) {
  objects_.push_back({kind, value, type, size});
  kept_.push_back(static_cast<ObjectId>(objects_.size() - 1));
  return kept_.back();
}

ObjectId Locations::merged(ObjectId object) const {
  while (kept_[object] != object) object = kept_[object] = kept_[kept_[object]];
  return object;
}

LocationId Locations::location(ObjectId object, uint32_t offset) {
  const auto [found, is_new] = ids_.try_emplace({object, offset}, static_cast<LocationId>(locations_.size()));
  if (is_new) locations_.push_back({object, offset});
  return found->second;
}

Locations::Folded Locations::fold(const Object& object, uint64_t offset) const {
  Folded folded;
  llvm::Type* type = object.type;
  uint64_t start = 0;  // of the part that `type` describes
  while (type && type->isSized()) {
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      const uint64_t element = layout_.getTypeAllocSize(array->getElementType());
      if (element == 0) break;
      const bool whole = start == 0 && element * array->getNumElements() >= object.size;
      if (whole && folded.whole_element == 0) {
        folded.whole_element = element;
      } else {
        folded.in_part = true;
      }
      offset = start + (offset - start) % element;
      folded.element_offset = start;
      folded.element_size = element;
      type = array->getElementType();
    } else if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      const llvm::StructLayout* fields = layout_.getStructLayout(structure);
      if (structure->getNumElements() == 0 || offset - start >= fields->getSizeInBytes()) break;
      const unsigned field = fields->getElementContainingOffset(offset - start);
      start += fields->getElementOffset(field);
      type = structure->getElementType(field);
    } else {
      break;
    }
  }
  folded.offset = offset;
  return folded;
}

LocationId Locations::at(ObjectId id, int64_t offset) {
  const Object& object = objects_[id];
  if (object.kind == ObjectKind::kFunction) return location(id, 0);
  if (object.kind == ObjectKind::kLibrary || offset < 0 || static_cast<uint64_t>(offset) >= object.size)
    return anywhere(id);
  const uint64_t folded = fold(object, static_cast<uint64_t>(offset)).offset;
  return folded > kFarthestField ? anywhere(id) : location(id, static_cast<uint32_t>(folded));
}

LocationId Locations::moved(LocationId from, Step step, int64_t distance) {
  const ObjectId id = object_of(from);
  const uint32_t offset = offset_of(from);
  const Object& object = objects_[id];
  if (offset == kAnywhere || object.kind == ObjectKind::kFunction) return from;
  if (step != Step::kIndex && step != Step::kUnknown && distance == 0) return from;
  const Folded here = fold(object, offset);
  const auto whole = static_cast<int64_t>(here.whole_element);
  switch (step) {
    case Step::kField: return at(id, int64_t{offset} + distance);
    case Step::kElement:
      if (here.element_size) return at(id, int64_t{offset} + distance);
      [[fallthrough]];
    case Step::kBy:
      if (whole && distance % whole == 0) return from;
      // Where an array begins, so may a structure: the pointer may be meant to leave the array.
      if (here.in_part) return anywhere(id);
      if (whole) return at(id, ((int64_t{offset} + distance) % whole + whole) % whole);
      return at(id, int64_t{offset} + distance);
    case Step::kIndex:
      if (here.element_size && distance && distance % static_cast<int64_t>(here.element_size) == 0) return from;
      [[fallthrough]];
    case Step::kUnknown:
      if (whole && distance && distance % whole == 0) return from;
      return anywhere(id);
  }
  return anywhere(id);
}

std::optional<llvm::SmallVector<uint32_t, 4>> Locations::pieces(LocationId where, uint64_t size,
                                                                uint32_t granule) const {
  const ObjectId id = object_of(where);
  const uint32_t offset = offset_of(where);
  const Object& object = objects_[id];
  if (offset == kAnywhere || size > kMostPieces * granule) return std::nullopt;
  // From an array into what follows it, or into elements that are folded.
  const Folded here = fold(object, offset);
  if (here.element_size && offset + size > here.element_offset + here.element_size) return std::nullopt;
  llvm::SmallVector<uint32_t, 4> result;
  const uint64_t end = offset + (size ? size : 1);
  for (uint64_t byte = offset - offset % granule; byte < end; byte += granule) {
    uint64_t folded = byte < object.size ? fold(object, byte).offset : byte;
    folded -= folded % granule;
    if (folded > kFarthestField) return std::nullopt;
    if (result.empty() || result.back() != folded) result.push_back(static_cast<uint32_t>(folded));
  }
  return result;
}

}  // namespace heddle::program
