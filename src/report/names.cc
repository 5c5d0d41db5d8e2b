// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>

#include "model/library_objects.h"
#include "model/text/path_text.h"
#include "model/text/printable.h"

namespace ravel {
namespace {

constexpr int kMaxStackDepth = 64;
// In place of an offset in a block: any place, and the block as the code that gives it back knows it.
constexpr std::uint32_t kWholeBlock = ~std::uint32_t{0};
constexpr std::uint32_t kGivenBack = kWholeBlock - 1;

std::string library_text(std::uint32_t offset) {
  static constexpr const char* kStates[] = {
      "random numbers",          "environment",           "table of descriptors", "thread-specific keys", "files",
      "buffers of streams",      "strtok's text",         "handlers of the exit", "names of threads",     "children",
      "databases of the system", "multibyte shift state", "table of hsearch"};
  static_assert(std::size(kStates) == kLibraryStates);
  if (offset >= offsetof(LibraryWords, further)) {
    const std::size_t state = kFirstStates + (offset - offsetof(LibraryWords, further)) / sizeof(std::uint64_t);
    return state < kLibraryStates ? kStates[state] : "state of the C library";
  }
  const std::uint32_t state = offset / sizeof(std::uint64_t);
  if (state < kFirstStates) return kStates[state];
  const auto word = (offset - offsetof(LibraryWords, file_locks)) / sizeof(std::uint32_t);
  const std::string_view what = word < kFileLocks ? "lock" : "record locks";
  const auto file = word % kFileLocks;
  return file == 0 ? fmt::format("{} of a file", what) : fmt::format("{} of file {}", what, file + 1);
}

PlaceName place_of_frame(const Frame& frame) {
  return {frame.function, frame.line_in_function(), frame.column};
}

}  // namespace

Names::Names(const ExecutionRecord& record, Symbolizer& symbolizer) : record_(record), symbolizer_(symbolizer) {
  for (unsigned slot = 0; slot < record.modules.size(); ++slot) {
    symbolizer.set_module(slot, record.modules[slot].path, record.modules[slot].base);
  }
  std::error_code ignored;
  cwd_ = std::filesystem::current_path(ignored).string();
}

std::string Names::thread_name(ThreadIndex thread) {
  return lineage_of(record_.threads, thread);
}

std::string Names::place_name(LocationId location) {
  if (location == 0) return {};
  const PlaceName name = place(location);
  if (name.function.empty()) {
    return fmt::format("{}+{:#x}", base_name(symbolizer_.module_path(module_slot(location))), module_offset(location));
  }
  return fmt::format("{}+{}:{}", name.function, name.line, name.column);
}

PlaceName Names::place(LocationId location) {
  return place_of_frame(symbolizer_.frames(location).front());
}

PlaceName Names::user_place(LocationId location, ContextId context) {
  return place_of_frame(user_frame(location, context));
}

std::string Names::object_name(ObjectId id, std::uint32_t offset) {
  const ObjectRecord& object = record_.objects[id];
  switch (object.kind) {
    case ObjectKind::kModule: {
      const GlobalName global = symbolizer_.global(object.owner, offset);
      if (!global.name.empty()) return fmt::format("global {}+{}", global.name, global.offset);
      return fmt::format("module {}+{:#x}", base_name(symbolizer_.module_path(object.owner)), offset);
    }
    case ObjectKind::kHeap:
      return fmt::format("heap {} {} {}+{}", thread_name(object.owner), object.ordinal, place_name(object.site),
                         offset);
    case ObjectKind::kStack:
      return fmt::format("stack {} -{}", thread_name(object.owner), object.size - offset);
    case ObjectKind::kTls:
      return fmt::format("tls {} -{}", thread_name(object.owner), object.size - offset);
    case ObjectKind::kOther:
      return fmt::format("other {}+{}", object.ordinal, offset);
    case ObjectKind::kChannel:
      return fmt::format("channel {}+{}", object.ordinal, offset);
    case ObjectKind::kUnknown:
      break;
  }
  return {};
}

std::string Names::thread_label(ThreadIndex thread) const {
  return fmt::format("T{}", thread);
}

std::string Names::thread_title(ThreadIndex thread) const {
  const std::string name = thread < record_.threads.size() ? text_of(record_.threads[thread].name) : std::string{};
  const std::string lineage = lineage_of(record_.threads, thread);
  return name.empty() ? fmt::format("T{} ({})", thread, lineage)
                      : fmt::format("T{} ({}, \"{}\")", thread, lineage, name);
}

std::string Names::object_text(ObjectId id, std::uint32_t offset) {
  const ObjectRecord& object = record_.objects[id];
  const auto plus = [](std::uint64_t n) { return n == 0 ? std::string{} : fmt::format("+{}", n); };
  if (id < record_.object_names.size() && !record_.object_names[id].empty())
    return record_.object_names[id] + plus(offset);
  for (const LabelRecord& label : record_.labels) {
    if (label.object == id && offset >= label.offset && offset - label.offset < label.size)
      return text_of(label.name) + plus(offset - label.offset);
  }
  switch (object.kind) {
    case ObjectKind::kModule: {
      const GlobalName global = symbolizer_.member(object.owner, offset);
      if (!global.name.empty()) return global.name + global.member + plus(global.rest);
      return fmt::format("{}+{:#x}", base_name(symbolizer_.module_path(object.owner)), offset);
    }
    case ObjectKind::kHeap:
      return heap_text(id, offset);
    case ObjectKind::kStack: {
      const std::string local = local_text(id, offset);
      return local.empty() ? fmt::format("stack of {} [-{}]", thread_label(object.owner), object.size - offset) : local;
    }
    case ObjectKind::kTls:
      return fmt::format("thread-local of {} [-{}]", thread_label(object.owner), object.size - offset);
    case ObjectKind::kOther:
      if (is_library_object(object)) return library_text(offset);
      return fmt::format("memory {}{}", object.ordinal, plus(offset));
    case ObjectKind::kChannel:
      if (object.ordinal == kSocketsChannel) return "sockets";
      if (object.ordinal == kEventsChannel) return "event descriptors";
      if (object.ordinal == kSignalsChannel) return "signals of " + thread_label(offset);
      return fmt::format("pipe {}", object.ordinal - kFirstPipeChannel + 1);
    case ObjectKind::kUnknown:
      break;
  }
  return {};
}

std::string Names::heap_text(ObjectId id, std::uint32_t offset) {
  const auto [typed, fresh] = typed_.try_emplace((std::uint64_t{id} << 32) | offset);
  if (fresh) typed->second = typed_heap_text(id, offset);
  if (!typed->second.empty()) return typed->second;
  const ObjectRecord& object = record_.objects[id];
  return fmt::format("heap{} ({} bytes from {})", offset == 0 ? "" : fmt::format("+{}", offset), object.size,
                     place_text(object.site, object.site_context));
}

// "Queue::head", by the class that code touching the block has a pointer to. "Queue::head #2" where several blocks
// come from the same place. A function further out may have a pointer to another object that happens to be as large:
// each thread that touches the place has to have one.
std::string Names::typed_heap_text(ObjectId id, std::uint32_t offset) {
  find_users_of_blocks();
  auto users = users_.end();
  for (const std::uint32_t place : {offset, kWholeBlock, kGivenBack}) {
    if (users == users_.end()) users = users_.find((std::uint64_t{id} << 32) | place);
  }
  if (users == users_.end()) return {};
  const ObjectRecord& object = record_.objects[id];
  if (is_of_container(object)) return {};
  std::string name;
  for (const auto& [thread, places] : users->second) {
    std::string here;
    for (auto place = places.begin(); here.empty() && place != places.end(); ++place) {
      here = symbolizer_.pointed(*place, object.size, offset);
    }
    if (here.empty()) return {};
    if (name.empty()) name = here;
  }
  if (name.empty()) return {};
  std::size_t before = 0;
  std::size_t alike = 0;
  for (ObjectId other = 0; other < record_.objects.size(); ++other) {
    const ObjectRecord& block = record_.objects[other];
    if (block.kind != ObjectKind::kHeap || block.site != object.site || block.size != object.size) continue;
    ++alike;
    before += other < id;
  }
  return alike == 1 ? name : fmt::format("{} #{}", name, before + 1);
}

// Nodes and arrays are no objects of the program's classes, whatever their size; what std::make_shared makes is.
bool Names::is_of_container(const ObjectRecord& object) {
  bool allocator = false;
  for (const Frame& frame : frames_up_to_user(object.site, object.site_context)) {
    if (frame.function.find("_Sp_counted_ptr_inplace<") != std::string::npos) return false;
    allocator = allocator || frame.function.find("allocator") != std::string::npos;
  }
  return allocator;
}

// Where each thread touches each place of a block, and the block as a whole, with the calls around, innermost first.
// Few are enough: they all know its type. A block may be given back by code that knows only its address.
void Names::find_users_of_blocks() {
  if (users_known_) return;
  users_known_ = true;
  constexpr std::size_t kMost = 12;
  constexpr int kCalls = 6;
  for (const Event& event : record_.events) {
    if (event.object >= record_.objects.size() || record_.objects[event.object].kind != ObjectKind::kHeap) continue;
    const bool given_back = event.kind == OpKind::kHeapFree;
    for (const std::uint32_t offset : {given_back ? kGivenBack : event.offset, given_back ? kGivenBack : kWholeBlock}) {
      std::vector<LocationId>& list = users_[(std::uint64_t{event.object} << 32) | offset][event.thread];
      const auto add = [&](LocationId at) {
        const bool usable = at != 0 && module_slot(at) < record_.modules.size() && list.size() < kMost;
        if (usable && std::find(list.begin(), list.end(), at) == list.end()) list.push_back(at);
      };
      add(event.location);
      ContextId context = event.context;
      for (int depth = 0; context != 0 && depth < kCalls; ++depth) {
        add(record_.contexts[context].call);
        context = record_.contexts[context].parent;
      }
    }
  }
}

std::string Names::whole_object(ObjectId id, std::uint32_t offset) {
  const ObjectRecord& object = record_.objects[id];
  if (object.kind == ObjectKind::kModule) {
    const GlobalName global = symbolizer_.global(object.owner, offset);
    return global.name.empty() ? object_name(id, offset) : global.name;
  }
  if (object.kind == ObjectKind::kHeap) return "heap " + place_name(object.site) + fmt::format(" {}", object.size);
  const std::string text = object_text(id, offset);
  return text.substr(0, text.find_first_of(".[", text.find('\'') == std::string::npos ? 0 : text.find('\'')));
}

bool Names::is_named(ObjectId id, std::uint32_t offset) {
  const std::string text = object_text(id, offset);
  return record_.objects[id].kind != ObjectKind::kOther && text.compare(0, 4, "heap") != 0 &&
         text.compare(0, 9, "stack of ") != 0 && text.find("+0x") == std::string::npos;
}

// Kept, like names of heap places: an execution comes back to a variable thousands of times.
std::string Names::local_text(ObjectId id, std::uint32_t offset) {
  const auto [known, fresh] = typed_.try_emplace((std::uint64_t{id} << 32) | offset);
  if (!fresh) return known->second;
  const auto same = [&](const StackPlaceRecord& place) { return place.object == id && place.offset == offset; };
  const auto place = std::find_if(record_.stack_places.begin(), record_.stack_places.end(), same);
  if (place == record_.stack_places.end() || place->frame == 0) return {};
  const LocalVariable local =
      symbolizer_.local(place->function, std::int64_t{place->frame} - offset, std::int64_t{offset} - place->stack);
  if (local.name.empty()) return {};
  const std::string rest = local.rest == 0 ? "" : fmt::format("+{}", local.rest);
  known->second = fmt::format("local '{}'{} of {} ({}:{})", local.name, rest, thread_label(record_.objects[id].owner),
                              short_path(local.file, cwd_), local.line);
  return known->second;
}

const Frame& Names::user_frame(LocationId location, ContextId context) {
  const std::uint64_t key = (std::uint64_t{context} << 32) | location;
  const auto known = user_frames_.find(key);
  if (known != user_frames_.end()) return known->second;
  return user_frames_.emplace(key, find_user_frame(location, context)).first->second;
}

const Frame& Names::find_user_frame(LocationId location, ContextId context) {
  for (const Frame& frame : symbolizer_.frames(location)) {
    if (frame.line != 0 && !frame.in_system_header) return frame;
  }
  for (int depth = 0; context != 0 && depth < kMaxStackDepth; ++depth) {
    const ContextRecord& node = record_.contexts[context];
    if (module_slot(node.call) < record_.modules.size()) {
      for (const Frame& frame : symbolizer_.frames(node.call)) {
        if (frame.line != 0 && !frame.in_system_header) return frame;
      }
    }
    context = node.parent;
  }
  return symbolizer_.frames(location).front();
}

std::vector<Frame> Names::frames_up_to_user(LocationId location, ContextId context) {
  std::vector<Frame> out;
  // Yields false at the user's code.
  const auto add = [&](LocationId at) {
    for (const Frame& frame : symbolizer_.frames(at)) {
      if (frame.line != 0 && !frame.in_system_header) return false;
      out.push_back(frame);
    }
    return true;
  };
  bool inside = add(location);
  for (int depth = 0; inside && context != 0 && depth < kMaxStackDepth; ++depth) {
    const ContextRecord& node = record_.contexts[context];
    inside = module_slot(node.call) >= record_.modules.size() || add(node.call);
    context = node.parent;
  }
  return out;
}

std::vector<std::string> Names::user_stack(LocationId location, ContextId context, std::size_t limit) {
  std::vector<std::string> out;
  const auto add = [&](LocationId at) {
    if (module_slot(at) >= record_.modules.size()) return;
    for (const Frame& frame : symbolizer_.frames(at)) {
      if (frame.line == 0 || frame.in_system_header || out.size() == limit) continue;
      out.push_back(
          printable_line(fmt::format("{} at {}:{}", frame.function, short_path(frame.file, cwd_), frame.line)));
    }
  };
  add(location);
  for (int depth = 0; context != 0 && depth < kMaxStackDepth; ++depth) {
    add(record_.contexts[context].call);
    context = record_.contexts[context].parent;
  }
  return out;
}

std::string Names::place_text(LocationId location, ContextId context) {
  const Frame& frame = user_frame(location, context);
  if (frame.line != 0) return fmt::format("{}:{}", printable_line(short_path(frame.file, cwd_)), frame.line);
  if (!frame.function.empty()) return printable_line(frame.function);
  if (location == 0) return "?";
  return fmt::format("{}+{:#x}", base_name(symbolizer_.module_path(module_slot(location))), module_offset(location));
}

std::string Names::short_name(const std::string& file) const {
  return short_path(file, cwd_);
}

std::uint64_t canonical_hash_of(const ExecutionRecord& record, Names& names) {
  CanonicalHash hash(names);
  hash.add(record.events);
  return hash.value();
}

std::string short_path(const std::string& path, const std::string& cwd) {
  if (!cwd.empty() && path.size() > cwd.size() + 1 && path.compare(0, cwd.size(), cwd) == 0 &&
      path[cwd.size()] == '/') {
    return path.substr(cwd.size() + 1);
  }
  if (path.substr(0, 2) == "./") return path.substr(2);
  return path;
}

}  // namespace ravel
