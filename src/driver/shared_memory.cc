// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace ravel {

namespace {

Result<SharedBlock*> map(int fd) {
  void* place = mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (place == MAP_FAILED) {
    return internal_error("cannot map the shared memory", std::strerror(errno),
                          "raise the address space limit (ulimit -v)");
  }
  return static_cast<SharedBlock*>(place);
}

// Sized and mapped; the pages are zero. Only members whose initial value is not zero are written, so that the block
// stays sparse.
Result<SharedBlock*> make_block(int fd) {
  if (ftruncate(fd, sizeof(SharedBlock)) != 0) {
    return internal_error("cannot size the shared memory", std::strerror(errno));
  }
  auto mapped = map(fd);
  if (!mapped) return mapped;
  SharedBlock* block = *mapped;
  new (&block->header) Header{};
  block->header.block_bytes = sizeof(SharedBlock);
  new (&block->campaign) Campaign{};
  new (&block->plan) PlanSpec{};
  block->context_count.store(1, std::memory_order_relaxed);
  return block;
}

Result<int> make_own_file(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return usage_error("cannot write the checkpoint", path, std::strerror(errno));
  return fd;
}

Result<int> open_own_file(const std::string& path, std::size_t bytes) {
  const int fd = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return usage_error("cannot read the checkpoint", path, std::strerror(errno));
  struct stat about {};
  const bool whole = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == static_cast<off_t>(bytes);
  if (whole && about.st_uid == geteuid()) return fd;
  close(fd);
  return usage_error(whole ? "the checkpoint belongs to another user" : "not a checkpoint of this version", path);
}

}  // namespace

Result<SharedMemory> SharedMemory::create() {
  const int fd = memfd_create("ravel", MFD_CLOEXEC);
  if (fd < 0) return internal_error("cannot make shared memory", std::strerror(errno));
  auto block = make_block(fd);
  if (block) return SharedMemory(fd, *block);
  close(fd);
  return tl::make_unexpected(block.error());
}

Result<SharedMemory> SharedMemory::create_file(const std::string& path) {
  auto made = make_own_file(path);
  if (!made) return tl::make_unexpected(made.error());
  const int fd = *made;
  auto block = make_block(fd);
  if (block) return SharedMemory(fd, *block);
  close(fd);
  return tl::make_unexpected(block.error());
}

Result<SharedMemory> SharedMemory::open_file(const std::string& path) {
  auto opened = open_own_file(path, sizeof(SharedBlock));
  if (!opened) return tl::make_unexpected(opened.error());
  const int fd = *opened;
  auto block = map(fd);
  if (!block) {
    close(fd);
    return tl::make_unexpected(block.error());
  }
  const Header& header = (*block)->header;
  if (header.magic == kWireMagic && header.version == kWireVersion && header.block_bytes == sizeof(SharedBlock)) {
    return SharedMemory(fd, *block);
  }
  munmap(*block, sizeof(SharedBlock));
  close(fd);
  return usage_error("not a checkpoint of this version", path);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), block_(std::exchange(other.block_, nullptr)) {}

SharedMemory::~SharedMemory() {
  if (block_ != nullptr) munmap(block_, sizeof(SharedBlock));
  if (fd_ >= 0) close(fd_);
}

Result<TreeMemory> TreeMemory::create(const std::string& path, bool resume, std::uint64_t executions) {
  Result<int> opened = resume ? open_own_file(path, kTreeBytes) : -1;
  if (!resume) opened = path.empty() ? memfd_create("ravel-tree", MFD_CLOEXEC) : make_own_file(path);
  if (!opened) return tl::make_unexpected(opened.error());
  TreeMemory memory(*opened);
  TreeHeader header;
  const auto bytes = static_cast<ssize_t>(sizeof header);
  if (resume) {
    const bool read = pread(*opened, &header, sizeof header, 0) == bytes;
    if (!read || header.magic != kWireMagic || header.version != kWireVersion || header.bytes != kTreeBytes) {
      return usage_error("not a checkpoint of this version", path);
    }
  }
  header.left.store(executions);
  if (*opened < 0 || ftruncate(*opened, kTreeBytes) != 0 || pwrite(*opened, &header, sizeof header, 0) != bytes) {
    return internal_error("cannot make the memory of a search", std::strerror(errno));
  }
  return memory;
}

TreeMemory::~TreeMemory() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace ravel
