// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/ir_module.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/Utils/Local.h>

#include "statics/llvm/library_calls.h"
#include "statics/llvm/places.h"

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
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline)) {
    llvm::consumeError(std::move(error));
    return;
  }
  passes.run(module, modules);
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

// Not simplifycfg: it speculates stores and gives them line 0. Constant branches only, and what they make unreachable:
// that
// `__gthread_active_p` is true decides every must-lockset.
void prepare_module(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
    if (keep_as_call(function.getName())) {
      function.deleteBody();
    } else if (in_system_header(function)) {
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
  run_passes(module, "function(sroa),always-inline,function(sroa,sccp,sccp)");
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (llvm::BasicBlock& block : function) llvm::ConstantFoldTerminator(&block, true);
    llvm::removeUnreachableBlocks(function);
  }
}

}  // namespace ravel
