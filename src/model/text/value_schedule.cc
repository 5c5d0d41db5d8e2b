// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/value_schedule.h"

#include <algorithm>

#include "model/text/words.h"

namespace ravel {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_.@+-[]<>*&~$/():").find(c) != std::string_view::npos;
}

std::string word(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), is_plain) && name.substr(0, 2) != "->" &&
                     name != "from" && name != "expect";
  return plain ? name : quote(name);
}

std::string line_text(const SourceLine& line) {
  return word(line.file + ":" + std::to_string(line.line));
}

}  // namespace

bool takes_lock(OpKind kind) {
  switch (kind) {
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kCondReacquire:
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
      return true;
    default:
      return false;
  }
}

bool is_value_operation(OpKind kind) {
  const OpClass cls = op_class(kind);
  return cls == OpClass::kPlain || (cls == OpClass::kAtomic && kind != OpKind::kFence) ||
         (is_sequence_event(kind) && kind != OpKind::kFutexRequeue);
}

std::string access_text(const ValueAccess& access) {
  std::string text = word(access.thread) + " " + std::string(op_name(access.kind));
  if (!access.object.empty()) text += " " + word(access.object);
  text += " " + line_text(access.place);
  if (access.instance != 1) text += " #" + std::to_string(access.instance);
  if (access.from.line != 0) text += " from " + line_text(access.from);
  return text;
}

std::string order_text(const ValueOrder& order) {
  return access_text(order.first) + " " + std::string(kRelationNames[static_cast<std::size_t>(order.relation)]) + " " +
         access_text(order.second);
}

std::string write_values(const ValuesFile& file) {
  std::string text = "ravel-values " + std::to_string(kValuesFormatVersion) + "\n";
  if (!file.program.empty()) text += "program " + quote(file.program) + "\n";
  for (const std::string& argument : file.arguments) text += "arg " + quote(argument) + "\n";
  if (!file.stdin_path.empty()) text += "stdin " + quote(file.stdin_path) + "\n";
  for (const auto& [name, lineage] : file.threads) text += "thread " + word(name) + " " + lineage + "\n";
  text += "orders\n";
  for (const ValueOrder& order : file.orders) text += order_text(order) + "\n";
  return text + expectation_text(file.expect);
}

std::string lineage_meant(const ValuesFile& file, const std::string& thread) {
  for (const auto& [name, lineage] : file.threads) {
    if (name == thread) return lineage;
  }
  return thread;
}

bool is_same_line(const SourceLine& written, const SourceLine& known) {
  if (written.line != known.line) return false;
  const std::string& shorter = written.file.size() < known.file.size() ? written.file : known.file;
  const std::string& longer = written.file.size() < known.file.size() ? known.file : written.file;
  const std::size_t rest = longer.size() - shorter.size();
  return longer.compare(rest, std::string::npos, shorter) == 0 && (rest == 0 || longer[rest - 1] == '/');
}

}  // namespace ravel
