// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Words that the printer and the parser of the trace text share.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/event.h"
#include "model/tables.h"

namespace ravel {

inline constexpr std::string_view kOrderWords[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};

struct FlagWord {
  std::string_view word;
  std::uint8_t bit;
};
inline constexpr FlagWord kFlagWords[] = {
    {"failed", kFailed}, {"timeout", kTimeout}, {"spurious", kSpurious}, {"chosen", kChosen}, {"waited", kHadToWait}};

inline constexpr std::string_view kObjectWords[] = {"unknown", "module", "heap", "stack", "tls", "other", "channel"};

inline constexpr std::string_view kOtherWords[] = {"thread", "object", "location", "wakes", "releasing", "in", "none"};

// Event::value is a thread that must exist.
inline constexpr bool names_thread(OpKind kind) {
  return kind == OpKind::kThreadCreate || kind == OpKind::kThreadJoin || kind == OpKind::kThreadDetach;
}
// Event::value is a place.
inline constexpr bool names_mutex(OpKind kind) {
  return kind == OpKind::kCondWait || kind == OpKind::kCondReacquire;
}

// What an object is until a line says otherwise.
inline ObjectRecord implied_object(std::uint32_t id) {
  ObjectRecord record;
  record.kind = id == 0 ? ObjectKind::kUnknown : ObjectKind::kOther;
  record.ordinal = id;
  return record;
}

}  // namespace ravel
