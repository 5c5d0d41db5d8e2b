#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Runs one group of system tests: run_group.py GROUP --ravel TOOL --sources TESTS --folder SCRATCH [--compiler g++].

GROUP is MODULE or MODULE.FUNCTION of this folder (corpus.found, usage.bad_usage, ...): the function gets a harness.Context.
"""
import argparse
import importlib
import pathlib
import sys

import harness


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("group")
    parser.add_argument("--ravel", type=pathlib.Path, required=True)
    parser.add_argument("--sources", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("--all", action="store_true", help="the second compiler gets each program, not every third")
    arguments = parser.parse_args()
    module, function = arguments.group.split(".")
    context = harness.Context(arguments.ravel.resolve(), arguments.sources.resolve(), arguments.folder.resolve(),
                              arguments.compiler)
    context.only, context.all = arguments.only, arguments.all
    if not arguments.ravel.exists():
        context.check(False, f"there is no {arguments.ravel}")
        return context.end()
    getattr(importlib.import_module(module), function)(context)
    return context.end()


if __name__ == "__main__":
    sys.exit(main())
