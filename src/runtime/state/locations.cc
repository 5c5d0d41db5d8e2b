// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/state/locations.h"

#include <link.h>
#include <string.h>
#include <unwind.h>

#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace ravel::rt {

ModuleRange g_executable;

namespace {

struct Module {
  std::uintptr_t base = 0;
  std::uintptr_t end = 0;
  bool library = false;  // C or C++ library: reports show its caller
};

Module modules[kMaxModules];
unsigned module_count = 0;  // slots beyond it are not in use; one in between may be empty
unsigned started_with = 0;  // linked modules; the others were loaded later

struct CodeRange {
  std::uintptr_t start = 0;
  std::uintptr_t end = 0;
  bool contains(std::uintptr_t pc) const { return pc - start < end - start; }
};
CodeRange unwinder;
CodeRange runtime;
CodeRange c_library;
CodeRange loader;

bool is_system_library(const char* path) {
  static constexpr const char* kNames[] = {"libc.so", "libstdc++.so", "libgcc_s.so",
                                           "libm.so", "libc++",       "libatomic.so"};
  const char* name = strrchr(path, '/');
  name = name != nullptr ? name + 1 : path;
  for (const char* prefix : kNames) {
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

bool is_skipped(const char* path) {
  return strstr(path, "ld-linux") != nullptr || strstr(path, "linux-vdso") != nullptr ||
         strstr(path, "libravel_rt") != nullptr;
}

// Code that is loaded later keeps its slot over the executions of a campaign, in whatever order it is loaded: slots of
// earlier executions are still in shared memory. kMaxModules: no slot left.
unsigned slot_for(const char* path) {
  const unsigned known = g.block->module_count.load(std::memory_order_relaxed);
  for (unsigned slot = started_with; slot < known; ++slot) {
    if (strncmp(g.block->modules[slot].path, path, sizeof(ModuleRecord::path) - 1) == 0) return slot;
  }
  if (known < kMaxModules) g.block->module_count.store(known + 1, std::memory_order_release);
  return known;
}

bool is_listed(const dl_phdr_info& info) {
  for (unsigned i = 0; i < module_count; ++i) {
    if (modules[i].end != 0 && modules[i].base == info.dlpi_addr) return true;
  }
  return false;
}

// Where the module ends in memory.
std::uintptr_t end_of(const dl_phdr_info& info) {
  std::uintptr_t end = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    const std::uintptr_t last = info.dlpi_addr + segment.p_vaddr + segment.p_memsz;
    if (segment.p_type == PT_LOAD && last > end) end = last;
  }
  return end;
}

// Modules that are asked for by what they are. The loader and the runtime itself are in no list.
void note_known_code(const dl_phdr_info& info) {
  const CodeRange range{info.dlpi_addr, end_of(info)};
  if (strstr(info.dlpi_name, "libravel_rt") != nullptr) runtime = range;
  if (strstr(info.dlpi_name, "libgcc_s.so") != nullptr) unwinder = range;
  if (strstr(info.dlpi_name, "/libc.so") != nullptr) c_library = range;
  if (strstr(info.dlpi_name, "ld-linux") != nullptr) loader = range;
}

int add_module(dl_phdr_info* info, std::size_t, void* late) {
  const bool executable = module_count == 0;
  note_known_code(*info);
  if (!executable && (is_skipped(info->dlpi_name) || info->dlpi_name[0] == 0)) return 0;
  if (late != nullptr && is_listed(*info)) return 0;
  const unsigned slot = late != nullptr ? slot_for(info->dlpi_name) : module_count;
  if (slot >= kMaxModules) return 0;
  Module& module = modules[slot];
  module.base = info->dlpi_addr;
  module.end = end_of(*info);
  if (strstr(info->dlpi_name, "/libgomp.so") != nullptr || strstr(info->dlpi_name, "/libomp.so") != nullptr ||
      strstr(info->dlpi_name, "/libiomp") != nullptr) {
    g.block->control.notes.fetch_or(kNoteOpenMp);
  }
  module.library = !executable && is_system_library(info->dlpi_name);
  // Non-PIE executables have load address 0: offsets are then absolute, which is what the symboliser wants.
  ModuleRecord& record = g.block->modules[slot];
  record.base = module.base;
  record.end = module.end;
  if (executable) {
    const long n = raw_syscall(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"),
                               reinterpret_cast<long>(record.path), sizeof(record.path) - 1);
    record.path[n > 0 ? n : 0] = 0;
  } else {
    strncpy(record.path, info->dlpi_name, sizeof(record.path) - 1);
  }
  if (slot >= module_count) module_count = slot + 1;
  return 0;
}

int mark_loaded(dl_phdr_info* info, std::size_t, void* seen) {
  for (unsigned i = 0; i < module_count; ++i) {
    if (modules[i].base == info->dlpi_addr) static_cast<bool*>(seen)[i] = true;
  }
  return 0;
}

const Module* module_of(std::uintptr_t address) {
  for (unsigned i = 0; i < module_count; ++i) {
    if (address >= modules[i].base && address < modules[i].end) return &modules[i];
  }
  return nullptr;
}

// Frames of the C and C++ libraries have a fixed size at a given call, so that one unwinding answers for all later
// calls that come the same way: the distance from the interceptor's frame to the return address into user code is kept
// in shared memory, over executions, with the return addresses in between. The answer must not depend on what was
// unwound before. Several ways lead to the same call: each place in the table has room for as many.
constexpr std::uint32_t kWays = 16;
static_assert(kFrameSlots % kWays == 0);
FrameDistance* known_distances(std::uintptr_t pc) {
  return g.block->frame_distances + (pc >> 2) % (kFrameSlots / kWays) * kWays;
}

void keep_distance(const FrameDistance& found) {
  FrameDistance* const ways = known_distances(found.pc);
  std::uint32_t at = 0;
  while (at < kWays && ways[at].pc != 0) ++at;
  if (at == kWays) at = static_cast<std::uint32_t>((found.pc ^ found.distance >> 3 ^ found.through[0].pc) % kWays);
  ways[at] = found;
}

struct UnwindState {
  std::uintptr_t frame = 0;
  std::uintptr_t user_pc = 0;
  bool kept = true;  // all return addresses stand where they are expected, and there is room for them
  FrameDistance found;
};

_Unwind_Reason_Code unwind_step(_Unwind_Context* context, void* argument) {
  auto& state = *static_cast<UnwindState*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  const std::uintptr_t sp = _Unwind_GetCFA(context);  // stack pointer of this frame at its call
  if (sp <= state.frame) return _URC_NO_REASON;
  const Module* module = module_of(pc);
  const std::uintptr_t slot = sp - sizeof(std::uintptr_t);
  state.kept = state.kept && *reinterpret_cast<std::uintptr_t*>(slot) == pc;
  if (module == nullptr || module->library) {
    state.kept = state.kept && state.found.links < kFrameLinks;
    if (state.kept) state.found.through[state.found.links++] = {slot - state.frame, pc};
    return _URC_NO_REASON;
  }
  state.user_pc = pc;
  state.found.distance = slot - state.frame;
  return _URC_END_OF_STACK;
}

bool same_way(const FrameDistance& known, std::uintptr_t base) {
  for (std::uint64_t i = 0; i < known.links; ++i) {
    if (*reinterpret_cast<std::uintptr_t*>(base + known.through[i].distance) != known.through[i].pc) return false;
  }
  return true;
}

}  // namespace

void list_modules() {
  module_count = 0;
  dl_iterate_phdr(add_module, nullptr);
  const std::uintptr_t bytes = modules[0].end - modules[0].base;
  g_executable = {modules[0].base, bytes <= kModuleOffsetMask ? bytes : kModuleOffsetMask};
  started_with = module_count;
  g.block->module_count.store(module_count, std::memory_order_release);
}

unsigned linked_modules() {
  return started_with;
}

void list_loaded_modules() {
  bool seen[kMaxModules] = {};
  dl_iterate_phdr(mark_loaded, seen);
  for (unsigned i = started_with; i < module_count; ++i) {
    if (!seen[i]) modules[i] = {};  // its addresses may be somebody else's from now on
  }
  bool late = true;
  dl_iterate_phdr(add_module, &late);
}

LocationId location_in_library(std::uintptr_t pc) {
  for (unsigned i = 0; i < module_count; ++i) {
    if (pc < modules[i].base || pc >= modules[i].end) continue;
    const std::uintptr_t offset = pc - modules[i].base;
    if (offset > kModuleOffsetMask) return 0;
    return (i << kModuleSlotShift) | static_cast<std::uint32_t>(offset);
  }
  return 0;
}

LocationId user_location_of_library(std::uintptr_t pc, void* frame) {
  const Module* module = module_of(pc);
  if (module == nullptr || !module->library) return location_of(pc);
  const auto base = reinterpret_cast<std::uintptr_t>(frame);
  const FrameDistance* const ways = known_distances(pc);
  for (std::uint32_t i = 0; i < kWays && ways[i].pc != 0; ++i) {
    const FrameDistance& known = ways[i];
    if (known.pc != pc || !same_way(known, base)) continue;
    const std::uintptr_t user_pc = *reinterpret_cast<std::uintptr_t*>(base + known.distance);
    const Module* caller = module_of(user_pc);
    if (caller != nullptr && !caller->library) return location_of(user_pc);
  }
  UnwindState state;
  state.frame = base;
  _Unwind_Backtrace(unwind_step, &state);
  if (state.user_pc == 0) return location_of(pc);
  if (state.kept) {
    state.found.pc = pc;
    keep_distance(state.found);
  }
  return location_of(state.user_pc);
}

bool is_runtime_code(std::uintptr_t pc) {
  return runtime.contains(pc);
}

bool is_user_code(std::uintptr_t pc) {
  const Module* module = module_of(pc);
  return module != nullptr && !module->library;
}

bool is_unwinder(const void* pc) {
  return unwinder.contains(reinterpret_cast<std::uintptr_t>(pc));
}

bool is_c_library(std::uintptr_t pc) {
  return c_library.contains(pc) || loader.contains(pc);
}

int data_module(std::uintptr_t address, std::uint32_t& offset) {
  for (unsigned i = 0; i < module_count; ++i) {
    if (address < modules[i].base || address >= modules[i].end) continue;
    const std::uintptr_t distance = address - modules[i].base;
    if (distance > kModuleOffsetMask) return -1;
    offset = static_cast<std::uint32_t>(distance);
    return static_cast<int>(i);
  }
  return -1;
}

}  // namespace ravel::rt
