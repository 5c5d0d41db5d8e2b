// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/ir_module.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>

#include "statics/llvm/library_calls.h"
#include "statics/llvm/system_code.h"

namespace ravel {
namespace {

// LLVM would print or end the process.
struct KeepQuiet : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    return info.getSeverity() != llvm::DS_Error || true;
  }
};

void run_passes(llvm::Module& module, const char* pipeline) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
  passes.run(module, modules);
}

// Names of variables and the ends of their lives: no analysis asks for them.
void drop_marks(llvm::Function& function) {
  for (auto next = llvm::inst_begin(function); next != llvm::inst_end(function);) {
    llvm::Instruction& instruction = *next++;
    if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd())
      instruction.eraseFromParent();
  }
}

// The module is the whole program: what main does not lead to is not analysed.
void hide(llvm::GlobalValue& value) {
  if (value.isDeclaration() || value.isDiscardableIfUnused() || value.hasAppendingLinkage() ||
      value.getName() == "main" || value.getName().startswith("llvm."))
    return;
  if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
  value.setLinkage(llvm::GlobalValue::InternalLinkage);
}

}  // namespace

IrModule load_modules(const std::vector<std::string>& files) {
  IrModule loaded;
  loaded.context = std::make_unique<llvm::LLVMContext>();
  loaded.context->setDiagnosticHandler(std::make_unique<KeepQuiet>());
  for (const std::string& file : files) {
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, diagnostic, *loaded.context);
    if (module == nullptr) {
      loaded.refused.push_back(file + ": " + diagnostic.getMessage().str());
    } else if (loaded.module == nullptr) {
      loaded.module = std::move(module);
    } else if (llvm::Linker::linkModules(*loaded.module, std::move(module))) {
      loaded.refused.push_back(file + ": cannot be linked with the files before it");
    }
  }
  return loaded;
}

void prepare_module(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
    if (keep_as_call(function.getName())) {
      function.deleteBody();
    } else {
      drop_marks(function);
    }
  }
  for (llvm::GlobalValue& value : module.global_values()) hide(value);
  run_passes(module, "globaldce");
  // A coroutine becomes its start and what resumes and destroys it, called through pointers in its frame.
  if (module.getFunction("llvm.coro.id") != nullptr)
    run_passes(module, "function(coro-early),cgscc(coro-split),function(coro-cleanup)");
  inline_system_code(module);
  run_passes(module, "globaldce");
}

}  // namespace ravel
