# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Filters of the static analysis and its rules about callbacks, and how each is broken: file of src/statics/llvm, text that stands in it
once, text instead, programs of tests/statics that then must show a conflict that is no pair (sound.sample --only). Where the programs are
those of another test, its group and what it then says follow."""

# Code without sources: threads of a library that run what it was given.
OUTSIDE = ("", "analyze.outside", "no pair of lines")

RULES = [
    ("locksets.cc", "if (cells.count() == 1 && is_one(", "if (cells.count() >= 1 && is_one(", "unresolved_lock"),
    ("pairs.cc", "if (mine.cell == other.cell && !(mine.shared && other.shared)) return true;", "if (mine.cell == other.cell) return true;", "shared_lock"),
    ("parallel.cc", "  if (joined.size() == 1) {\n", "  if (!joined.empty()) {\n", "joined_other"),
    # Locks.
    ("locksets.cc", "    if (one.effect == LockEffect::kRelease) {\n      release(cells, held);\n", "    if (one.effect == LockEffect::kRelease) {\n", "odd_calls"),
    ("locksets.cc", "    held.clear();\n", "", "odd_calls"),
    ("operations.cc", "return model.callees(call).size() == 1 && kinds.size() == 1 ?", "return !kinds.empty() ?", "odd_calls"),
    ("pairs.cc", "if ((kind == PairKind::kRW || kind == PairKind::kMM) && common_lock(a, b)) return;", "if (common_lock(a, b)) return;", "lost_notify"),
    ("accesses.cc", "if (lock.cell == kNoCell && lock.base == data.base)", "if (lock.cell == kNoCell)", "accounts_heap"),
    # What threads can reach.
    ("accesses.cc", "for (const CellId cell : model.held_by(entry->getArg(0))) add(points_to.object_of(cell));", "", "accounts_heap"),
    ("accesses.cc", "for (const CellId target : points_to.targets(cell)) add(points_to.object_of(target));", "(void)cell;", "published"),
    # When threads run, and how many.
    ("parallel.cc", "    alive.set(started);\n", "", "joined_other"),
    ("parallel.cc", "    if (often) grew |= flows_[one].entry[callee] |= started_in_[callee];", "", "odd_calls"),
    ("thread_classes.cc", " || calls_back_often(model_, *ways[0])", "", "odd_calls"),
    ("thread_classes.cc", "          waiting.push_back(late);\n", "", "exit_in_thread"),
    # Who calls what.
    ("ir_module.cc", "if (module.getFunction(\"llvm.coro.id\") != nullptr)", "if (false)", "coroutine"),
    ("library_calls.cc", "    {\"__cxa_atexit\", LibraryCall::kCallsLater},\n", "", "exit_in_thread"),
    ("pointer_calls.cc", "  call_back(call, target, LibraryCall::kCallsNow);\n}", "}", "callbacks"),
    # Pointers that the library keeps.
    ("pointer_outside.cc", "  points_to_.copy(found->second, node(&call));\n", "", "hidden_ways"),
    ("library_calls.cc", "    {\"pthread_getspecific\", LibraryCall::kGetSpecific},\n", "", "hidden_ways"),
    ("pointer_calls.cc", "  points_to_.copy(result->second, common(ended_));\n", "", "hidden_ways"),
    ("library_calls.cc", "    {\"__cxa_begin_catch\", LibraryCall::kCatch},\n", "", "hidden_ways"),
    ("accesses.cc", " || model.may_be_rethrown(objects.object(id))", "", "", "analyze.rethrown", "the exception is in no pair"),
    # Copies of memory: elements of an array stand for each other.
    ("points_to.cc", "    const Places places = objects_.places_of(object, at);\n", "    const Places places{{at}, 0};\n", "copied_arrays"),
    ("points_to.cc", "  const Places begins = objects_.places_of(object, offset_of(source));\n", "  const Places begins{{offset_of(source)}, 0};\n", "copied_arrays"),
    ("points_to.cc", "      if (!repeats) break;\n", "      break;\n", "copied_arrays"),
    ("points_to.cc", "objects_.places_of(object, offset).at) {", "std::vector<std::int64_t>{offset}) {", "copied_arrays"),
    # Assembly: its operands are accesses, and pointers move between them.
    ("operations.cc", "    list.push_back({SiteKind::kAtomicWrite, argument, bytes, false, nullptr, false});\n", "", "assembly"),
    ("pointer_calls.cc", "        points_to_.store(node(other), node(argument));\n    }\n  }\n}\n\nvoid PointerModel::pass", "        ;\n    }\n  }\n}\n\nvoid PointerModel::pass", "assembly"),
    ("library_calls.cc", "    {\"pthread_key_create\", LibraryCall::kCallsAnywhere},\n", "", "callbacks"),
    ("library_calls.cc", "    {\"timer_create\", LibraryCall::kCreateNotified},\n", "", "timer_thread"),
    ("thread_classes.cc", "  if (model_.outside_entries().empty()) return;\n", "  return;\n", *OUTSIDE),
    ("locksets.cc", "      if (is_outside(*callee)) released |= outside_;\n", "", "", "analyze.released_outside", "no pair behind the call"),
    ("pointer_outside.cc", "  return kLibraries != nullptr && dlsym(kLibraries, name.str().c_str()) != nullptr;\n", "  return true;\n", *OUTSIDE),
]
