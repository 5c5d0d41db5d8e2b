// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "symbols/symbolizer.h"

#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <array>

#include "driver/program_image.h"
#include "symbols/enclosing.h"
#include "symbols/system_library.h"
#include "symbols/variables.h"

namespace ravel {
namespace {

constexpr std::string_view kUnknown = "<invalid>";

std::string known(const std::string& text) {
  return text == kUnknown || text == "??" ? std::string{} : text;
}

}  // namespace

struct Symbolizer::Impl {
  struct Module {
    std::string path;
    std::uint64_t base = 0;
    std::uint64_t add = 0;  // offset -> address in the file
    std::unique_ptr<EnclosingFunctions> enclosing;
    std::unique_ptr<Variables> variables;
  };
  static Variables& variables_of(Module& module) {
    if (module.variables == nullptr) module.variables = std::make_unique<Variables>(module.path);
    return *module.variables;
  }

  Impl() : llvm(options()) {}

  static llvm::symbolize::LLVMSymbolizer::Options options() {
    llvm::symbolize::LLVMSymbolizer::Options options;
    options.Demangle = true;
    options.UseSymbolTable = true;
    return options;
  }

  llvm::symbolize::LLVMSymbolizer llvm;
  std::array<Module, kMaxModules> modules;
  // Functions that do not say where they begin are placed relative to the one around them.
  static void place_nameless(Module& module, std::uint64_t address, std::vector<Frame>& frames) {
    const auto nameless = [](const Frame& frame) { return frame.line != 0 && frame.start_line == 0; };
    if (std::none_of(frames.begin(), frames.end(), nameless)) return;
    if (module.enclosing == nullptr) module.enclosing = std::make_unique<EnclosingFunctions>(module.path);
    const std::vector<Enclosing> around = module.enclosing->at(address);
    for (std::size_t i = 0; i < frames.size() && i < around.size(); ++i) {
      if (!nameless(frames[i])) continue;
      frames[i].start_line = around[i].line;
      if (!around[i].function.empty()) frames[i].function = around[i].function + "::" + frames[i].function;
    }
  }

  std::unordered_map<LocationId, std::vector<Frame>> cache;
};

Symbolizer::Symbolizer() : impl_(std::make_unique<Impl>()) {}
Symbolizer::~Symbolizer() = default;

void Symbolizer::set_module(unsigned slot, const std::string& path, std::uint64_t base) {
  if (slot >= kMaxModules) return;
  Impl::Module& module = impl_->modules[slot];
  if (module.path == path && module.base == base) return;
  module.path = path;
  module.base = base;
  module.add = 0;
  module.enclosing.reset();
  module.variables.reset();
  impl_->cache.clear();
  const auto image = read_program(path);
  // A program that is not position independent is numbered from its fixed address, unless the base was given as 0.
  if (image && !image->position_independent) module.add = base;
}

const std::string& Symbolizer::module_path(unsigned slot) const {
  return impl_->modules[slot < kMaxModules ? slot : 0].path;
}

std::uint64_t Symbolizer::link_address(LocationId location) const {
  return module_offset(location) + impl_->modules[module_slot(location)].add;
}

void Symbolizer::set_frame(LocationId location, Frame frame) {
  impl_->cache[location] = {std::move(frame)};
}

const std::vector<Frame>& Symbolizer::frames(LocationId location) {
  const auto [entry, fresh] = impl_->cache.try_emplace(location);
  std::vector<Frame>& frames = entry->second;
  if (!fresh) return frames;
  Impl::Module& module = impl_->modules[module_slot(location)];
  if (location != 0 && !module.path.empty()) {
    // The location is a return address: the call is the byte before.
    const llvm::object::SectionedAddress address{link_address(location) - 1,
                                                 llvm::object::SectionedAddress::UndefSection};
    auto found = impl_->llvm.symbolizeInlinedCode(module.path, address);
    if (found) {
      const bool in_library = is_system_library(module.path);
      for (unsigned i = 0; i < found->getNumberOfFrames(); ++i) {
        const llvm::DILineInfo& info = found->getFrame(i);
        Frame frame;
        frame.function = known(info.FunctionName);
        frame.file = known(info.FileName);
        frame.line = info.Line;
        frame.column = info.Column;
        frame.start_line = info.StartLine;
        frame.in_system_header = in_library || is_system_path(frame.file);
        frames.push_back(std::move(frame));
      }
      Impl::place_nameless(module, address.Address, frames);
    } else {
      llvm::consumeError(found.takeError());
    }
  }
  if (frames.empty()) frames.emplace_back();
  return frames;
}

GlobalName Symbolizer::global(unsigned slot, std::uint64_t offset) {
  GlobalName out;
  if (slot >= kMaxModules || impl_->modules[slot].path.empty()) return out;
  const Impl::Module& module = impl_->modules[slot];
  const std::uint64_t address = offset + module.add;
  auto found = impl_->llvm.symbolizeData(module.path, {address, llvm::object::SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
    return out;
  }
  const std::string name = known(found->Name);
  if (name.empty() || address < found->Start) return out;
  out.name = llvm::demangle(name.substr(0, name.find('@')));  // without its version
  out.offset = address - found->Start;
  return out;
}

GlobalName Symbolizer::member(unsigned slot, std::uint64_t offset) {
  GlobalName out = global(slot, offset);
  if (out.name.empty()) return out;
  Impl::Module& module = impl_->modules[slot];
  MemberName member = Impl::variables_of(module).member(offset + module.add - out.offset, out.offset);
  out.member = std::move(member.path);
  out.rest = member.rest;
  return out;
}

LocalVariable Symbolizer::local(LocationId inside, std::int64_t below_frame, std::int64_t above_stack) {
  Impl::Module& module = impl_->modules[module_slot(inside)];
  if (inside == 0 || module.path.empty()) return {};
  LocalName found = Impl::variables_of(module).local(link_address(inside) - 1, below_frame, above_stack);
  return {std::move(found.name), found.rest, std::move(found.file), found.line};
}

std::string Symbolizer::pointed(LocationId inside, std::uint64_t size, std::uint64_t offset) {
  Impl::Module& module = impl_->modules[module_slot(inside)];
  if (inside == 0 || module.path.empty()) return {};
  const MemberName found = Impl::variables_of(module).pointed(link_address(inside) - 1, size, offset);
  return found.rest == 0 ? found.path : found.path + "+" + std::to_string(found.rest);
}

bool is_system_path(std::string_view path) {
  return path.substr(0, 5) == "/usr/" || path.find("/include/c++/") != std::string_view::npos ||
         path.find("/include/ravel/") != std::string_view::npos;
}

}  // namespace ravel
