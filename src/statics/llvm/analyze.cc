// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/analyze.h"

#include <chrono>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "statics/llvm/accesses.h"
#include "statics/llvm/contexts.h"
#include "statics/llvm/graph_builder.h"
#include "statics/llvm/ir_module.h"
#include "statics/llvm/locksets.h"
#include "statics/llvm/pairs.h"
#include "statics/llvm/parallel.h"
#include "statics/llvm/pointer_model.h"
#include "statics/llvm/targets.h"
#include "statics/llvm/thread_classes.h"
#include "symbols/code_symbols.h"

namespace ravel {
namespace {

std::string missing_code(const std::set<std::string>& functions) {
  std::string text;
  for (const std::string& name : functions) text += (text.empty() ? "no code for " : ", ") + function_name(name);
  return text;
}

}  // namespace

BitcodeAnalysis analyze_bitcode(const std::vector<std::string>& files, const AnalysisOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto began = processor_time();
  BitcodeAnalysis result;
  IrModule loaded = load_modules(files);
  result.refused = loaded.refused;
  if (loaded.module == nullptr) {
    result.error = "no file could be read";
    return result;
  }
  const llvm::Function* main = loaded.module->getFunction("main");
  if (main == nullptr || main->isDeclaration()) {
    result.error = "there is no main";
    return result;
  }
  prepare_module(*loaded.module);
  const FunctionContexts contexts = copy_by_call_site(*loaded.module);
  PointerModel model(*loaded.module);
  model.solve(began + options.budget);
  const ThreadClasses classes(model, contexts);
  const Locksets locks(model, classes);
  const Parallel parallel(model, classes);
  const Shared shared(model, classes);

  Facts& facts = result.facts;
  facts.coarse = facts.by_line = model.points_to().coarse();
  std::optional<Accesses> accesses;
  std::optional<std::vector<SitePair>> pairs;
  while (!pairs) {
    facts.sites.clear();
    accesses.emplace(model, classes, locks, shared, contexts,
                     facts.by_line ? SiteDetail::kLine : SiteDetail::kOperation, facts.sites);
    pairs = find_pairs(options, *accesses, shared, parallel, classes,
                       facts.by_line ? std::numeric_limits<std::size_t>::max() : options.most_pairs);
    if (!pairs) facts.by_line = true;
  }
  facts.pairs = std::move(*pairs);
  facts.targets = find_targets(model);
  facts.graph = build_graph(model, classes, shared, *accesses);
  facts.functions = static_cast<unsigned>(model.functions().size());
  for (const ClassOfThreads& one : classes.all()) facts.classes.push_back(one.facts);
  if (!model.opaque().empty()) facts.opaque.push_back(missing_code(model.opaque()));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace ravel
