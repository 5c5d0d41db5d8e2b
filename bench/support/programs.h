// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Runs the programs of bench/programs, by themselves or under `ravel run`, and reads what they measured.
#pragma once

#include <string>
#include <vector>

namespace ravel::bench {

// Nanoseconds of one tick of the time-stamp counter.
double tick_ns();

// Wall time of a command in seconds; its output goes nowhere. Ends the benchmark when the command fails.
double seconds_of(const std::vector<std::string>& command);
// Of the processor, by the command and all that it started.
double cpu_seconds_of(const std::vector<std::string>& command);

// The program's "ticks N" line, in nanoseconds.
double measured_ns(const std::vector<std::string>& command);

// "build/bin/ravel run <options> -- <program>" with the program's output let through.
std::vector<std::string> under_ravel(const std::vector<std::string>& options, const std::vector<std::string>& program);

// A program of this build, by the name of its target.
std::string program_path(const std::string& name);

}  // namespace ravel::bench
