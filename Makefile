# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# The three commands of the README. CMakePresets.json has the rest.
JOBS ?= $(shell nproc)

.PHONY: all setup build test test-long bench demo format clean
all: build

build: build/build.ninja
	@cmake --build --preset dev -j $(JOBS)

build/build.ninja:
	@cmake --preset dev

setup:
	@scripts/setup.sh

test: setup build
	@ctest --preset ci -j $(JOBS)

# What takes too long for every day.
test-long: setup build
	@ctest --preset long -j $(JOBS)

bench: setup build/build.ninja
	@cmake --build --preset dev -j $(JOBS) --target ravel_bench
	@build/bench/engine
	@build/bench/overhead
	@build/bench/throughput
	@python3 -B bench/instructions.py build
	@python3 -B bench/explore.py build

demo: setup build
	@scripts/demo.sh

format:
	@scripts/check_format.sh --fix

clean:
	@cmake -E rm -rf build
