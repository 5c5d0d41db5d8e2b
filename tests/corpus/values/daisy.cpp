// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// daisy N: a small file system on a disk in memory: superblock, bitmap of blocks, table of inodes, one directory, files
// of several blocks. One user reads the file "cow" N times, another unlinks it and writes others, N times.
//
// Each inode has a lock, which protects its row of the table and the blocks it owns; one lock protects the bitmap.
// read() takes the list of blocks under the inode's lock, and copies the bytes when it has released it: the blocks may
// be freed, wiped and given to another file by then.
#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

// ---- the disk: bytes in blocks

constexpr std::size_t kBlockBytes = 16;
constexpr std::size_t kBlocks = 32;
using Block = std::uint8_t;  // number of a block; 0 is the superblock, and "none"

class Disk {
 public:
  [[nodiscard]] std::uint8_t get(std::size_t at) const { return bytes_[at]; }
  void put(std::size_t at, std::uint8_t byte) { bytes_[at] = byte; }
  static std::size_t address(Block block, std::size_t offset = 0) { return block * kBlockBytes + offset; }
  void wipe(Block block) {
    for (std::size_t i = 0; i < kBlockBytes; ++i) put(address(block, i), 0);
  }

 private:
  std::array<std::uint8_t, kBlocks * kBlockBytes> bytes_{};
};

// ---- the layout

constexpr std::uint8_t kMagic = 0xda;
constexpr Block kSuperblock = 0;
constexpr Block kBitmap = 1;      // one byte per eight blocks
constexpr Block kInodeTable = 2;  // one block per inode
constexpr std::size_t kInodes = 6;
constexpr Block kFirstData = kInodeTable + kInodes;
constexpr std::size_t kBlocksOfFile = 4;
constexpr std::size_t kMostBytes = kBlocksOfFile * kBlockBytes;

using InodeNumber = std::uint8_t;
constexpr InodeNumber kRoot = 0;

// A row of the table, as it lies on the disk: used, generation, size, blocks.
struct Inode {
  bool used = false;
  std::uint8_t generation = 0;  // how often the row was given to a file
  std::uint8_t size = 0;
  std::array<Block, kBlocksOfFile> blocks{};
};

// A file as users hold it: the row may have been given to another file since.
struct Handle {
  InodeNumber inode = 0;
  std::uint8_t generation = 0;
};

// ---- which blocks are in use

class Allocator {
 public:
  explicit Allocator(Disk& disk) : disk_(disk) {}

  void format() {
    for (Block block = 0; block < kFirstData; ++block) mark(block, true);
  }
  std::optional<Block> allocate() {
    const std::lock_guard hold(lock_);
    for (Block block = kFirstData; block < kBlocks; ++block) {
      if (is_used(block)) continue;
      mark(block, true);
      return block;
    }
    return std::nullopt;
  }
  void release(Block block) {
    disk_.wipe(block);
    const std::lock_guard hold(lock_);
    mark(block, false);
  }
  // Of a file system that nobody uses.
  [[nodiscard]] std::size_t used() const {
    std::size_t count = 0;
    for (Block block = kFirstData; block < kBlocks; ++block) count += is_used(block);
    return count;
  }

 private:
  [[nodiscard]] bool is_used(Block block) const {
    return (disk_.get(Disk::address(kBitmap, block / 8u)) >> (block % 8u) & 1u) != 0;
  }
  void mark(Block block, bool used) {
    const std::size_t at = Disk::address(kBitmap, block / 8u);
    const auto bit = static_cast<std::uint8_t>(1u << (block % 8u));
    const std::uint8_t old = disk_.get(at);
    disk_.put(at, static_cast<std::uint8_t>(used ? old | bit : old & ~bit));
  }

  Disk& disk_;
  std::mutex lock_;
};

// ---- the table of inodes; who calls holds the lock of the inode

class InodeTable {
 public:
  explicit InodeTable(Disk& disk) : disk_(disk) {}

  std::mutex& lock_of(InodeNumber number) { return locks_[number]; }

  [[nodiscard]] Inode load(InodeNumber number) const {
    const std::size_t row = Disk::address(static_cast<Block>(kInodeTable + number));
    Inode inode;
    inode.used = disk_.get(row) != 0;
    inode.generation = disk_.get(row + 1);
    inode.size = disk_.get(row + 2);
    for (std::size_t i = 0; i < kBlocksOfFile; ++i) inode.blocks[i] = disk_.get(row + 3 + i);
    return inode;
  }
  void store(InodeNumber number, const Inode& inode) {
    const std::size_t row = Disk::address(static_cast<Block>(kInodeTable + number));
    disk_.put(row, inode.used ? 1 : 0);
    disk_.put(row + 1, inode.generation);
    disk_.put(row + 2, inode.size);
    for (std::size_t i = 0; i < kBlocksOfFile; ++i) disk_.put(row + 3 + i, inode.blocks[i]);
  }
  // A free row, now in use.
  std::optional<Handle> allocate() {
    for (InodeNumber number = kRoot + 1; number < kInodes; ++number) {
      const std::lock_guard hold(lock_of(number));
      Inode inode = load(number);
      if (inode.used) continue;
      inode = {true, static_cast<std::uint8_t>(inode.generation + 1), 0, {}};
      store(number, inode);
      return Handle{number, inode.generation};
    }
    return std::nullopt;
  }

 private:
  Disk& disk_;
  std::array<std::mutex, kInodes> locks_;
};

// ---- files

enum class Status { kOk, kNoSuchFile, kExists, kNoRoom, kStale };

class FileSystem {
 public:
  FileSystem() : allocator_(disk_), inodes_(disk_) { format(); }

  Status create(std::string_view name, Handle& out) {
    const std::lock_guard directory(inodes_.lock_of(kRoot));
    if (find_entry(name)) return Status::kExists;
    const std::optional<std::size_t> entry = free_entry();
    if (!entry || name.size() > kNameBytes) return Status::kNoRoom;
    const std::optional<Handle> file = inodes_.allocate();
    if (!file) return Status::kNoRoom;
    write_entry(*entry, name, *file);
    out = *file;
    return Status::kOk;
  }

  Status lookup(std::string_view name, Handle& out) {
    const std::lock_guard directory(inodes_.lock_of(kRoot));
    const std::optional<std::size_t> entry = find_entry(name);
    if (!entry) return Status::kNoSuchFile;
    out = handle_in(*entry);
    return Status::kOk;
  }

  // Behind what the file has.
  Status append(const Handle& file, std::string_view bytes) {
    const std::lock_guard hold(inodes_.lock_of(file.inode));
    Inode inode = inodes_.load(file.inode);
    if (!is_file(inode, file)) return Status::kStale;
    for (const char byte : bytes) {
      if (inode.size == kMostBytes) return Status::kNoRoom;
      Block& block = inode.blocks[inode.size / kBlockBytes];
      if (block == 0) {
        const std::optional<Block> fresh = allocator_.allocate();
        if (!fresh) return Status::kNoRoom;
        block = *fresh;
      }
      disk_.put(Disk::address(block, inode.size % kBlockBytes), static_cast<std::uint8_t>(byte));
      ++inode.size;
      inodes_.store(file.inode, inode);
    }
    return Status::kOk;
  }

  Status read(const Handle& file, std::string& out) {
    out.clear();
    std::unique_lock hold(inodes_.lock_of(file.inode));
    const Inode inode = inodes_.load(file.inode);
    if (!is_file(inode, file)) return Status::kStale;
#ifndef FIXED
    hold.unlock();
#endif
    for (std::size_t i = 0; i < inode.size; ++i) {
      const Block block = inode.blocks[i / kBlockBytes];
      out.push_back(static_cast<char>(disk_.get(Disk::address(block, i % kBlockBytes))));
    }
    return Status::kOk;
  }

  Status unlink(std::string_view name) {
    const std::lock_guard directory(inodes_.lock_of(kRoot));
    const std::optional<std::size_t> entry = find_entry(name);
    if (!entry) return Status::kNoSuchFile;
    const Handle file = handle_in(*entry);
    write_entry(*entry, "", {});
    const std::lock_guard hold(inodes_.lock_of(file.inode));
    Inode inode = inodes_.load(file.inode);
    for (Block& block : inode.blocks) {
      if (block != 0) allocator_.release(block);
      block = 0;
    }
    inode.used = false;
    inode.size = 0;
    inodes_.store(file.inode, inode);
    return Status::kOk;
  }

  // Of a file system that nobody uses: each block that is in use belongs to one file.
  [[nodiscard]] bool is_sound() const {
    std::size_t owned = 0;
    std::array<bool, kBlocks> seen{};
    for (InodeNumber number = 0; number < kInodes; ++number) {
      const Inode inode = inodes_.load(number);
      for (const Block block : inode.blocks) {
        if (block == 0) continue;
        if (!inode.used || block < kFirstData || seen[block]) return false;
        seen[block] = true;
        ++owned;
      }
    }
    return disk_.get(Disk::address(kSuperblock)) == kMagic && owned == allocator_.used();
  }

 private:
  // An entry of the directory: length of the name, name, inode, generation. Length 0: free.
  static constexpr std::size_t kNameBytes = 5;
  static constexpr std::size_t kEntryBytes = 8;
  static constexpr std::size_t kEntries = kBlockBytes / kEntryBytes * 2;

  void format() {
    disk_.put(Disk::address(kSuperblock), kMagic);
    allocator_.format();
    Inode root{true, 1, 2 * kBlockBytes, {}};
    for (std::size_t i = 0; i < 2; ++i) root.blocks[i] = *allocator_.allocate();
    inodes_.store(kRoot, root);
  }

  static bool is_file(const Inode& inode, const Handle& file) {
    return inode.used && inode.generation == file.generation;
  }

  // The lock of the root is held by who calls these.
  [[nodiscard]] std::size_t entry_address(std::size_t entry) const {
    const Inode root = inodes_.load(kRoot);
    const std::size_t at = entry * kEntryBytes;
    return Disk::address(root.blocks[at / kBlockBytes], at % kBlockBytes);
  }
  [[nodiscard]] std::string name_in(std::size_t entry) const {
    const std::size_t at = entry_address(entry);
    std::string name;
    for (std::size_t i = 0; i < disk_.get(at); ++i) name.push_back(static_cast<char>(disk_.get(at + 1 + i)));
    return name;
  }
  [[nodiscard]] Handle handle_in(std::size_t entry) const {
    const std::size_t at = entry_address(entry) + 1 + kNameBytes;
    return {disk_.get(at), disk_.get(at + 1)};
  }
  void write_entry(std::size_t entry, std::string_view name, const Handle& file) {
    const std::size_t at = entry_address(entry);
    disk_.put(at, static_cast<std::uint8_t>(name.size()));
    for (std::size_t i = 0; i < name.size(); ++i) disk_.put(at + 1 + i, static_cast<std::uint8_t>(name[i]));
    disk_.put(at + 1 + kNameBytes, file.inode);
    disk_.put(at + 2 + kNameBytes, file.generation);
  }
  [[nodiscard]] std::optional<std::size_t> find_entry(std::string_view name) const {
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
      if (name_in(entry) == name) return entry;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::size_t> free_entry() const {
    return find_entry("");
  }

  Disk disk_;
  Allocator allocator_;
  InodeTable inodes_;
};

// ---- two users

constexpr std::string_view kMoo = "moo moo moo";

void create_with(FileSystem& files, std::string_view name, std::string_view text) {
  Handle file;
  if (files.create(name, file) == Status::kOk) files.append(file, text);
}

// The file has what was written to it, from its beginning, however much of it is written yet.
void read_cow(FileSystem& files, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    Handle file;
    if (files.lookup("cow", file) != Status::kOk) continue;
    std::string text;
    if (files.read(file, text) == Status::kOk) assert(kMoo.substr(0, text.size()) == text);
  }
}

void replace_cow(FileSystem& files, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    files.unlink("cow");
    create_with(files, "fox", "ring ding ding");
    create_with(files, "cow", kMoo);
    files.unlink("fox");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  FileSystem files;
  create_with(files, "cow", kMoo);
  std::thread reader([&] { read_cow(files, rounds); });
  std::thread writer([&] { replace_cow(files, rounds); });
  reader.join();
  writer.join();
  assert(files.is_sound());
}
