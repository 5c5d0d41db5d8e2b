// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A trace from a text file as an ExecutionRecord, so that everything that reports an execution also reports a trace a
// person wrote. Locations "bank.cpp:12" become frames of `symbolizer`.
#pragma once

#include "driver/execution_record.h"
#include "model/text/trace_text.h"
#include "symbols/symbolizer.h"

namespace ravel {

ExecutionRecord record_of(const Trace& trace, Symbolizer& symbolizer);

}  // namespace ravel
