// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/shared_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace ravel {

Result<SharedMemory> SharedMemory::create() {
  const int fd = memfd_create("ravel", MFD_CLOEXEC);
  if (fd < 0) return internal_error("cannot make shared memory", std::strerror(errno));
  if (ftruncate(fd, sizeof(SharedBlock)) != 0) {
    const int code = errno;
    close(fd);
    return internal_error("cannot size the shared memory", std::strerror(code));
  }
  void* place = mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (place == MAP_FAILED) {
    const int code = errno;
    close(fd);
    return internal_error("cannot map the shared memory", std::strerror(code),
                          "raise the address space limit (ulimit -v)");
  }
  // The pages are zero; only members whose initial value is not zero are written, so that the block stays sparse.
  auto* block = static_cast<SharedBlock*>(place);
  new (&block->header) Header{};
  block->header.block_bytes = sizeof(SharedBlock);
  new (&block->campaign) Campaign{};
  new (&block->plan) PlanSpec{};
  block->context_count.store(1, std::memory_order_relaxed);
  return SharedMemory(fd, block);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), block_(std::exchange(other.block_, nullptr)) {}

SharedMemory::~SharedMemory() {
  if (block_ != nullptr) munmap(block_, sizeof(SharedBlock));
  if (fd_ >= 0) close(fd_);
}

}  // namespace ravel
