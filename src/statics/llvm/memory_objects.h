// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Abstract memory: one object per variable, function, allocation site or thread, and its cells by byte offset. All
// elements of an array share the cells of one element, so that an index that is not known cannot miss a cell. A cell
// never disappears; when a region turns out to be an array, cells become the same (`canonical`).
//
// Invariant: an offset outside an object of known size is no cell. Such a pointer cannot be dereferenced, so it came
// from merging unrelated pointers.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ravel {

using CellId = unsigned;
using MemoryId = unsigned;
constexpr CellId kNoCell = ~0u;

enum class MemoryKind : std::uint8_t { kGlobal, kStack, kHeap, kFunction, kThread, kOpaque };

struct MemoryObject {
  const llvm::Value* value = nullptr;  // the variable, function, or the call that allocates
  MemoryKind kind = MemoryKind::kGlobal;
  std::string name;
  llvm::Type* type = nullptr;  // nullptr: not known
  std::uint64_t size = 0;      // 0: not known
  bool constant = false;       // never written: string literals, vtables
  bool exact = false;          // a vtable: offsets are those of slots, never array elements
  bool blank = false;          // holds no pointer that matters: all of it is one cell
  struct Region {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t stride = 1;
  };
  std::vector<Region> regions;  // found to be arrays while solving; do not overlap
  unsigned arrays = 0;          // how often one was found
  std::map<std::int64_t, CellId> cells;
};

// Offsets that one offset stands for. With a stride there are too many to list: the first and any multiple behind it.
struct Places {
  std::vector<std::int64_t> at;
  std::int64_t stride = 0;
};

class MemoryObjects {
 public:
  explicit MemoryObjects(const llvm::DataLayout& layout) : layout_(&layout) {}

  MemoryId add(MemoryObject object);
  [[nodiscard]] const MemoryObject& object(MemoryId id) const { return objects_[id]; }
  [[nodiscard]] std::size_t count() const { return objects_.size(); }
  // The offset that stands for `offset`; negative: outside.
  [[nodiscard]] std::int64_t normal_offset(MemoryId id, std::int64_t offset) const;
  // kNoCell: not made yet. `make_cell` makes it under the number given.
  [[nodiscard]] CellId find_cell(MemoryId id, std::int64_t normal) const;
  void set_cell(MemoryId id, std::int64_t normal, CellId cell);
  // Whether the offset lies in an array, by type or by use: then the cell stands for several places.
  [[nodiscard]] bool in_array(MemoryId id, std::int64_t offset) const { return stride_at(id, offset) != 0; }
  // Of the elements of that array; 0: none.
  [[nodiscard]] std::int64_t stride_at(MemoryId id, std::int64_t offset) const;
  [[nodiscard]] Places places_of(MemoryId id, std::int64_t normal) const;
  // From now on the bytes from `offset` on are elements of `stride` bytes. Returns the cells that became one, as pairs
  // (kept, merged); false in `changed` when the object's type says the same already.
  std::vector<std::pair<CellId, CellId>> make_array(MemoryId id, std::int64_t offset, std::int64_t stride);

 private:
  // Bounds and element size of the innermost array of the object's type around `offset`; stride 0: none.
  [[nodiscard]] MemoryObject::Region typed_array(const MemoryObject& object, std::int64_t offset, bool bytes) const;
  [[nodiscard]] std::int64_t by_type(const MemoryObject& object, std::int64_t offset) const;
  [[nodiscard]] Places places_by_type(const MemoryObject& object, std::int64_t normal) const;

  const llvm::DataLayout* layout_;
  std::vector<MemoryObject> objects_;
};

}  // namespace ravel
