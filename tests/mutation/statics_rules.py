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
    ("library_calls.cc", "    {\"pthread_key_create\", LibraryCall::kCallsAnywhere},\n", "", "callbacks"),
    ("library_calls.cc", "    {\"timer_create\", LibraryCall::kCreateNotified},\n", "", "timer_thread"),
    ("thread_classes.cc", "  if (model_.outside_entries().empty()) return;\n", "  return;\n", *OUTSIDE),
    ("pointer_outside.cc", "  return kLibraries != nullptr && dlsym(kLibraries, name.str().c_str()) != nullptr;\n", "  return true;\n", *OUTSIDE),
]
