# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# The three commands of the README. CMakePresets.json has the rest.
JOBS ?= $(shell nproc)

.PHONY: all tool setup-tool setup build test test-long bench scoreboard scoreboard-quick tables tables-long demo format clean
all: tool

# The tool, the runtime and nothing else: needs only the packages that these two are built with.
tool: setup-tool
	@test -e build/build.ninja || cmake --preset tool
	@cmake --build --preset dev -j $(JOBS) --target ravel

# Tests and benchmarks too. The same folder: what `make` has compiled is used again.
build: setup
	@grep -qs '^RAVEL_BUILD_TESTS:BOOL=ON' build/CMakeCache.txt && test -e build/build.ninja || cmake --preset dev
	@cmake --build --preset dev -j $(JOBS)

setup-tool:
	@scripts/setup.sh tool

setup:
	@scripts/setup.sh all

test: build
	@ctest --preset ci -j $(JOBS)

# What takes too long for every day.
test-long: build
	@ctest --preset long -j $(JOBS)

bench: build
	@build/bench/engine
	@build/bench/ranking
	@build/bench/overhead
	@build/bench/throughput
	@python3 -B bench/instructions.py build
	@python3 -B bench/explore.py build
	@python3 -B bench/growth.py build
	@python3 -B bench/bodies.py build
	@python3 -B bench/guided.py build
	@python3 -B bench/values.py build
	@python3 -B bench/sequences.py build

# How soon defects are found, by strategy, beside other tools: some minutes, some hours.
scoreboard-quick: tool
	@python3 -B bench/scoreboard/scoreboard.py --quick
scoreboard: tool
	@python3 -B bench/scoreboard/scoreboard.py

# The experiments of the guided searches' papers: some minutes, some hours. docs/tables.md is what they measured.
tables: tool
	@python3 -B bench/tables/tables.py --docs docs/tables.md
tables-long: tool
	@python3 -B bench/tables/tables.py --long --docs docs/tables.md

demo: tool
	@scripts/demo.sh

format:
	@scripts/check_format.sh --fix

clean:
	@cmake -E rm -rf build
