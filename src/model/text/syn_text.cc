// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/syn_text.h"

#include <algorithm>
#include <map>

#include "model/text/words.h"

namespace ravel {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_.@+-:[]<>*&~$/").find(c) != std::string_view::npos;
}

// A name as one word; what could be taken for something else is quoted.
std::string word(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), is_plain) && name.back() != ':' &&
                     name != "..." && name != op_name(OpKind::kMeet) && name != op_name(OpKind::kSelect) &&
                     name.find("##") == std::string::npos;
  return plain ? name : quote(name);
}

std::string ending_text(const SynEvent& event) {
  if (event.lost) return " lost";
  if (!event.woken.empty()) return " wakes " + word(event.woken);
  if (event.ending == SequenceEnding::kFails) return " failed";
  return event.ending == SequenceEnding::kSucceeds ? " ok" : "";
}

// Behind the operation, where the object stands before it.
std::string port_text(const SynEvent& event) {
  return event.port.empty() ? "" : " " + word(event.port);
}

std::string numbered(const std::string& name, std::uint32_t number) {
  return word(name) + "#" + std::to_string(number);
}

// Lists of one thread or object each, in the order of their first event.
std::string lists_text(const SynFile& file) {
  const bool by_thread = file.form == SynForm::kThread;
  std::vector<std::string> order;
  std::map<std::string, std::string> lists;
  for (const SynEvent& event : file.events) {
    const std::string& owner = by_thread ? event.thread : event.object;
    std::string& list = lists[owner];
    if (list.empty()) order.push_back(owner);
    list += list.empty() ? " " : ", ";
    list += by_thread ? numbered(event.object, event.object_number) : numbered(event.thread, event.thread_number);
    if (event.kind != OpKind::kNone) list += " " + std::string(op_name(event.kind)) + port_text(event);
    list += ending_text(event);
  }
  std::string text;
  for (const std::string& owner : order) text += word(owner) + ":" + lists[owner] + "\n";
  return text;
}

}  // namespace

std::string expectation_text(const SynExpectation& expect) {
  std::string text;
  if (expect.verdict) {
    text += *expect.verdict == SynVerdict::kFeasible ? "expect feasible" : "expect infeasible";
    if (expect.at != 0) text += " at " + std::to_string(expect.at);
    text += "\n";
  }
  if (expect.outcome) text += "expect " + std::string(outcome_name(*expect.outcome)) + "\n";
  if (expect.output) text += "expect output " + quote(*expect.output) + "\n";
  if (expect.valid) text += *expect.valid ? "expect valid\n" : "expect invalid\n";
  return text;
}

std::string event_text(const SynEvent& event) {
  if (event.kind == OpKind::kSelect && !event.port.empty()) {  // nobody does it but the receiver
    return (event.receiver.empty() ? "" : word(event.receiver) + " ") + word(event.port) + " select";
  }
  std::string text = word(event.thread);
  if (!event.port.empty()) {
    if (!event.receiver.empty()) text += " " + word(event.receiver);
    return text + port_text(event) + " " + std::string(op_name(event.kind));
  }
  if (event.kind != OpKind::kNone) text += " " + std::string(op_name(event.kind));
  if (!event.object.empty()) text += " " + word(event.object);
  return text + ending_text(event);
}

std::string write_syn(const SynFile& file) {
  std::string text = "ravel-syn " + std::to_string(kSynFormatVersion) + "\n";
  if (!file.program.empty()) text += "program " + quote(file.program) + "\n";
  for (const std::string& argument : file.arguments) text += "arg " + quote(argument) + "\n";
  if (!file.stdin_path.empty()) text += "stdin " + quote(file.stdin_path) + "\n";
  for (const auto& [name, lineage] : file.threads) text += "thread " + word(name) + " " + lineage + "\n";
  for (const auto& [name, object] : file.objects) text += "object " + word(name) + " " + word(object) + "\n";
  if (!file.specification.empty()) text += "specification " + quote(file.specification) + "\n";
  if (!file.assumed.empty()) text += "assumed " + quote(file.assumed) + "\n";
  if (!file.only.empty()) {
    text += "only";
    for (const std::string& object : file.only) text += " " + word(object);
    text += "\n";
  }
  if (file.detail) text += "events " + std::string(kSynDetailNames[static_cast<std::size_t>(*file.detail)]) + "\n";
  text += "order " + std::string(kSynFormNames[static_cast<std::size_t>(file.form)]) + "\n";
  if (file.form == SynForm::kTotal) {
    for (const SynEvent& event : file.events) text += event_text(event) + "\n";
  } else {
    text += lists_text(file);
  }
  if (file.open) text += "...\n";
  return text + expectation_text(file.expect);
}

void number_events(std::vector<SynEvent>& events) {
  std::map<std::string, std::uint32_t> threads;
  std::map<std::string, std::uint32_t> objects;
  for (SynEvent& event : events) {
    event.thread_number = ++threads[event.thread];
    event.object_number = event.object.empty() ? 0 : ++objects[event.object];
  }
}

std::string message_text(const std::string& sender, std::uint32_t number) {
  return sender + "/" + std::to_string(number);
}

bool split_message(const std::string& text, std::string& sender, std::uint32_t& number) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string::npos || slash == 0) return false;
  const auto found = number_of<std::uint32_t>(std::string_view(text).substr(slash + 1));
  if (!found || *found == 0) return false;
  sender = text.substr(0, slash);
  number = *found;
  return true;
}

std::string inbox_name(const std::string& receiver) {
  return "inbox@" + receiver;
}

bool is_lineage(std::string_view word) {
  if (word.substr(0, 4) != "main") return false;
  word.remove_prefix(4);
  while (!word.empty()) {
    std::size_t digits = 1;
    while (digits < word.size() && word[digits] >= '0' && word[digits] <= '9') ++digits;
    if (word[0] != '.' || !number_of<std::uint32_t>(word.substr(1, digits - 1)) || word[1] == '0') return false;
    word.remove_prefix(digits);
  }
  return true;
}

}  // namespace ravel
