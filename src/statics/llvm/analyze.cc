// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/analyze.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <string>

#include "statics/llvm/accesses.h"
#include "statics/llvm/call_table.h"
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

// Of the budget, for locksets and for who is alive where, each; the rest is for the points-to analysis.
constexpr unsigned kShares = 8;
constexpr std::chrono::seconds kLeast{1};

std::string missing_code(const std::set<std::string>& functions) {
  std::string text;
  for (const std::string& name : functions) text += (text.empty() ? "no code for " : ", ") + function_name(name);
  return text;
}

// A class that stands for any thread, in place of those that sites would have.
void add_any_thread(Facts& facts) {
  ThreadClass any;
  any.name = "any";
  any.entry = "any thread";
  any.many = true;
  std::set<unsigned> entries;
  for (const std::vector<unsigned>& list : facts.graph.entries) entries.insert(list.begin(), list.end());
  facts.graph.entries.emplace_back(entries.begin(), entries.end());
  facts.classes.push_back(std::move(any));
  facts.any_thread = true;
}

// In three steps: with too many pairs of operations a site is a line, with too many of these that of any thread.
// False: there are still too many.
bool find_facts(const PointerModel& model, const CallTable& calls, const ThreadClasses& classes,
                const FunctionContexts& contexts, const AnalysisOptions& options, Facts& facts) {
  const std::chrono::nanoseconds share = std::max<std::chrono::nanoseconds>(options.budget / kShares, kLeast);
  const Locksets locks(model, calls, classes, processor_time() + share);
  const Parallel parallel(model, calls, classes, processor_time() + share);
  const Shared shared(model, classes);
  facts.by_line = model.points_to().coarse();
  facts.coarse = facts.by_line || locks.gave_up() || parallel.gave_up();
  constexpr SiteDetail kSteps[] = {SiteDetail::kOperation, SiteDetail::kLine, SiteDetail::kLineOfAny};
  const std::size_t most[] = {options.most_pairs, options.most_by_line, options.most_kept};
  for (unsigned step = facts.by_line ? 1 : 0; step < std::size(kSteps); ++step) {
    facts.sites.clear();
    facts.by_line = step > 0;
    const Accesses accesses(model, calls, classes, locks, shared, contexts, kSteps[step], facts.sites);
    auto pairs = find_pairs(options, accesses, shared, parallel, classes, most[step]);
    if (!pairs) continue;
    facts.pairs = std::move(*pairs);
    facts.graph = build_graph(model, classes, shared, accesses);
    for (const ClassOfThreads& one : classes.all()) facts.classes.push_back(one.facts);
    if (kSteps[step] == SiteDetail::kLineOfAny) add_any_thread(facts);
    return true;
  }
  return false;
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
  model.solve(began + options.budget - 2 * (options.budget / kShares));
  const CallTable calls(model);
  const ThreadClasses classes(model, calls, contexts);
  Facts& facts = result.facts;
  if (!find_facts(model, calls, classes, contexts, options, facts)) {
    result.error = "it has more than " + std::to_string(options.most_kept) + " pairs of lines";
    return result;
  }
  facts.targets = find_targets(model);
  facts.functions = static_cast<unsigned>(model.functions().size());
  if (!model.opaque().empty()) facts.opaque.push_back(missing_code(model.opaque()));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace ravel
