// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/syn_text.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

namespace ravel {
namespace {

SynFile parsed(const std::string& text) {
  auto file = parse_syn(text, "t.syn");
  EXPECT_TRUE(file) << (file ? "" : file.error().line());
  return file ? *file : SynFile{};
}
std::string complaint(const std::string& text) {
  auto file = parse_syn(text, "t.syn");
  return file ? "" : file.error().line();
}

constexpr char kLostWakeup[] =
    "ravel-syn 1\n"
    "program \"./queue\"  # as the shell would find it\n"
    "arg \"two words\"\n"
    "thread producer main.2\n"
    "object ready queue.ready_\n"
    "only queue.mutex_ ready\n"
    "order total\n"
    "producer lock queue.mutex_\n"
    "producer signal ready lost\n"
    "producer unlock queue.mutex_\n"
    "main.1 lock queue.mutex_\n"
    "main.1 wait ready\n"
    "...\n"
    "expect deadlock\n";

TEST(SynText, ReadsWhatAPersonWrites) {
  const SynFile file = parsed(kLostWakeup);
  EXPECT_EQ(file.program, "./queue");
  ASSERT_EQ(file.events.size(), 5u);
  EXPECT_EQ(file.events[1].kind, OpKind::kCondSignal);
  EXPECT_TRUE(file.events[1].lost);
  EXPECT_EQ(file.events[1].line, 9u);
  EXPECT_EQ(file.events[3].object_number, 3u);
  EXPECT_EQ(file.events[3].thread_number, 1u);
  EXPECT_TRUE(file.open);
  EXPECT_EQ(file.expect.outcome, OutcomeKind::kDeadlock);
  EXPECT_EQ(file.only, (std::vector<std::string>{"queue.mutex_", "ready"}));
}

TEST(SynText, ThreeFormsOfOneOrder) {
  const std::string by_object =
      "ravel-syn 1\norder object\n"
      "m: main.2#1 lock, main.2#3 unlock, main.1#1 lock\n"
      "c: main.2#2 signal lost, main.1#2 wait\n";
  const std::string by_thread =
      "ravel-syn 1\norder thread\n"
      "main.2: m#1 lock, c#1 signal lost, m#2 unlock\n"
      "main.1: m#3 lock, c#2 wait\n";
  SynFile one = parsed(by_object);
  SynFile other = parsed(by_thread);
  EXPECT_EQ(write_syn(one), by_object);
  EXPECT_EQ(write_syn(other), by_thread);
  one.form = SynForm::kThread;
  EXPECT_EQ(write_syn(one), by_thread);
  other.form = SynForm::kObject;
  EXPECT_EQ(write_syn(other), by_object);
}

TEST(SynText, WhatIsExpected) {
  const std::string text =
      "ravel-syn 1\nspecification \"two slots.valid\"\nevents complete\norder total\nmain.1 lock m\n"
      "expect completed\nexpect output \"C\\nB\\n\"\nexpect invalid\n";
  const SynFile file = parsed(text);
  EXPECT_EQ(file.specification, "two slots.valid");
  EXPECT_EQ(file.detail, SynDetail::kComplete);
  EXPECT_EQ(file.expect.output, "C\nB\n");
  EXPECT_EQ(file.expect.valid, false);
  EXPECT_EQ(file.expect.outcome, OutcomeKind::kCompleted);
  EXPECT_EQ(write_syn(file), text);
  EXPECT_EQ(parsed("ravel-syn 1\norder total\nmain.1\nexpect output \"\"\nexpect valid\n").expect.output, "");
  EXPECT_EQ(parsed("ravel-syn 1\norder total\nmain.1\nexpect valid\n").expect.valid, true);
  const std::string longest(kMaxSynOutput, 'x');
  const std::string head = "ravel-syn 1\norder total\nmain.1\nexpect output \"";
  EXPECT_EQ(parsed(head + longest + "\"\n").expect.output, longest);
  EXPECT_EQ(complaint(head + longest + "x\"\n"), "t.syn:4:15: expected a shorter text: found more than 32 KiB");
}

TEST(SynText, WrongExpectations) {
  const std::string head = "ravel-syn 1\norder total\nmain.1 lock m\n";
  EXPECT_EQ(complaint(head + "expect output\n"),
            "t.syn:4:14: expected the output in quotes: found the end of the line");
  EXPECT_EQ(complaint(head + "expect output CBC\n"), "t.syn:4:15: expected the output in quotes: found \"CBC\"");
  EXPECT_EQ(complaint(head + "expect output \"a\" \"b\"\n"), "t.syn:4:19: expected the end of the line: found \"b\"");
  EXPECT_EQ(complaint(head + "expect output \"a\"\nexpect output \"a\"\n"),
            "t.syn:5:8: expected one output: found \"output\"");
  EXPECT_EQ(complaint(head + "expect valid\nexpect invalid\n"),
            "t.syn:5:8: expected one of valid and invalid: found \"invalid\"");
  EXPECT_EQ(complaint(head + "expect valid here\n"), "t.syn:4:14: expected the end of the line: found \"here\"");
  EXPECT_EQ(complaint(head + "expect infeasible\nexpect valid\n"),
            "t.syn:5:1: expected `infeasible' or how the execution ends: found both");
  EXPECT_EQ(complaint(head + "expect infeasible\nexpect output \"x\"\n"),
            "t.syn:5:1: expected `infeasible' or how the execution ends: found both");
  EXPECT_EQ(
      complaint(head + "expect dedlock\n"),
      "t.syn:4:8: expected feasible, infeasible, output, valid, invalid or an outcome: found \"dedlock\"; did you "
      "mean `deadlock'?");
  EXPECT_EQ(complaint("ravel-syn 1\nspecification\n"), "t.syn:2:14: expected a value: found the end of the line");
}

TEST(SynText, HowMuchEventsSay) {
  const std::string simple = "ravel-syn 1\nevents simple\norder total\nmain.1\nmain.2\n";
  EXPECT_EQ(write_syn(parsed(simple)), simple);
  const std::string lists = "ravel-syn 1\nevents simple\norder object\nm: main.1#1, main.2#1\n";
  EXPECT_EQ(write_syn(parsed(lists)), lists);
  const std::string meets = "ravel-syn 1\nevents complete\norder total\na p rendezvous\n";
  EXPECT_EQ(write_syn(parsed(meets)), meets);
  EXPECT_EQ(complaint("ravel-syn 1\nevents simple\norder total\nmain.1 lock m\n"),
            "t.syn:4:1: expected the thread alone, by `events simple': found \"main.1\"");
  EXPECT_NE(complaint("ravel-syn 1\nevents simple\norder total\nmain.1 failed\n").find("thread alone"),
            std::string::npos);
  EXPECT_EQ(complaint("ravel-syn 1\nevents simple\norder object\nm: main.1#1, main.2#1 lock\n"),
            "t.syn:4:14: expected the thread alone, by `events simple': found \"main.2\"");
  EXPECT_EQ(complaint("ravel-syn 1\nevents complete\norder total\nmain.1 lock\n"),
            "t.syn:4:1: expected thread, operation and object, by `events complete': found \"main.1\"");
  EXPECT_NE(complaint("ravel-syn 1\nevents complete\norder thread\nmain.1: m#1\n").find("operation and object"),
            std::string::npos);
  EXPECT_EQ(complaint("ravel-syn 1\nevents simpel\n"),
            "t.syn:2:8: expected simple or complete: found \"simpel\"; did you mean `simple'?");
  EXPECT_EQ(complaint("ravel-syn 1\nevents simple\nevents simple\n"),
            "t.syn:3:1: expected one `events': found \"events\"");
}

TEST(SynText, ErrorsNameLineColumnAndWhatIsNear) {
  EXPECT_EQ(complaint("ravel-sin 1\n"), "t.syn:1:1: expected `ravel-syn 1': found \"ravel-sin\"");
  EXPECT_EQ(complaint("ravel-syn 1\nordr total\n"),
            "t.syn:2:1: expected a statement: found \"ordr\"; did you mean `order'?");
  EXPECT_EQ(complaint("ravel-syn 1\norder total\nmain.1 lok m\n"),
            "t.syn:3:8: expected an operation such as lock, wait or signal: found \"lok\"; did you mean `lock'?");
  EXPECT_NE(complaint("ravel-syn 1\norder object\nm: main.1#2 lock\n").find("t.syn:3:1: expected numbers without gaps"),
            std::string::npos);
  EXPECT_NE(complaint("ravel-syn 1\norder object\na: main.1#2 lock, main.2#1 lock\nb: main.2#2 lock, main.1#1 lock\n")
                .find("contradict"),
            std::string::npos);
  EXPECT_NE(complaint("ravel-syn 1\norder total\n...\nmain.1 lock m\n").find("t.syn:4:1"), std::string::npos);
  EXPECT_NE(complaint("ravel-syn 1\norder total\nmain.1 lock m lost\n").find("behind a signal"), std::string::npos);
  EXPECT_NE(complaint("ravel-syn 1\nprogram \"a\n").find("closing quote"), std::string::npos);
  EXPECT_NE(complaint("").find("ravel-syn 1"), std::string::npos);
  EXPECT_NE(complaint("ravel-syn 1\norder total\nmain lock m\nexpect infeasible at 3\n").find("number of an event"),
            std::string::npos);
  EXPECT_NE(complaint("ravel-syn 1\nthread a b.1\n").find("lineage"), std::string::npos);
}

TEST(SynText, Rendezvous) {
  const auto file =
      parse_syn("ravel-syn 1\norder total\na b p rendezvous\na p rendezvous\na lock \"rendezvous\"\n", "x.syn");
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->events[0].receiver, "b");
  EXPECT_EQ(file->events[0].port, "p");
  EXPECT_EQ(file->events[0].object, "inbox@b");
  EXPECT_EQ(file->events[1].port, "p");
  EXPECT_TRUE(file->events[1].object.empty());
  EXPECT_EQ(file->events[2].object, "rendezvous");
  EXPECT_NE(complaint("ravel-syn 1\norder total\na b p q rendezvous\n").find("expected `rendezvous'"),
            std::string::npos);
}

// Files that programs record themselves: what they assume, labels, messages that are received as if they were threads.
TEST(SynText, RecordedOutside) {
  const std::string text =
      "ravel-syn 1\nassumed \"threads by number\"\nonly net permits working\norder thread\n"
      "main.1/1: net#1 deliver\nmain.1: permits#1 sem-wait, working#1 mark\n";
  auto file = parse_syn(text, "a.syn");
  ASSERT_TRUE(file) << file.error().line();
  EXPECT_EQ(file->assumed, "threads by number");
  ASSERT_EQ(file->events.size(), 3u);
  EXPECT_EQ(file->events[0].kind, OpKind::kDeliver);
  EXPECT_EQ(file->events[2].kind, OpKind::kMark);
  EXPECT_EQ(write_syn(*file), text);
  std::string sender;
  std::uint32_t number = 0;
  EXPECT_TRUE(split_message(message_text("main.1.2", 7), sender, number));
  EXPECT_EQ(sender, "main.1.2");
  EXPECT_EQ(number, 7u);
  for (const char* wrong : {"main.1", "/1", "main.1/", "main.1/0", "main.1/x"}) {
    EXPECT_FALSE(split_message(wrong, sender, number)) << wrong;
  }
}

TEST(SynText, Lineages) {
  for (const char* good : {"main", "main.1", "main.12.3"}) EXPECT_TRUE(is_lineage(good)) << good;
  for (const char* bad : {"", "mai", "main.", "main.0", "main.1.", "main1", "main.x", "main.01"}) {
    EXPECT_FALSE(is_lineage(bad)) << bad;
  }
}

SynFile random_file(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const std::string threads[] = {"main", "main.1", "main.2.1", "odd name"};
  const std::string objects[] = {"m", "ns::q.mutex_", "heap@main.1/3+16", "a \"b\"", "x:", "v[0].m"};
  const OpKind kinds[] = {OpKind::kMutexLock, OpKind::kMutexUnlock, OpKind::kCondSignal, OpKind::kSemPost};
  SynFile file;
  file.form = static_cast<SynForm>(below(3));
  file.open = below(2) != 0;
  for (unsigned i = 1 + below(12); i != 0; --i) {
    SynEvent event;
    event.thread = threads[below(4)];
    event.object = objects[below(6)];
    event.kind = kinds[below(4)];
    if (below(4) == 0) {
      event.kind = OpKind::kMeet;
      event.port = objects[below(6)];
      event.receiver = threads[below(4)];
      event.object = inbox_name(event.receiver);
    }
    if (event.kind == OpKind::kCondSignal && below(2) != 0)
      event.lost = true;
    else if (event.kind == OpKind::kCondSignal)
      event.woken = threads[below(4)];
    else if (below(4) == 0 && event.port.empty())
      event.ending = SequenceEnding::kFails;
    file.events.push_back(event);
  }
  number_events(file.events);
  if (below(2) != 0) file.expect.verdict = SynVerdict::kFeasible;
  if (below(2) != 0) file.expect.outcome = OutcomeKind::kDeadlock;
  if (below(3) == 0) file.expect.output = below(2) != 0 ? "CBC\n\x01 \"x\"" : "";
  if (below(3) == 0) file.expect.valid = below(2) != 0;
  if (below(3) == 0) file.specification = "two slots.valid";
  if (below(3) == 0) file.detail = SynDetail::kComplete;
  return file;
}

// What happened before an event: the same in every form.
std::map<std::pair<std::string, unsigned>, std::string> orders_of(const SynFile& file) {
  std::map<std::pair<std::string, unsigned>, std::string> out;
  for (const SynEvent& e : file.events) out[{e.object, e.object_number}] = e.thread + std::to_string(e.thread_number);
  return out;
}

TEST(SynText, EveryFormRoundTrips) {
  std::mt19937 random(7);
  for (int i = 0; i < 1000; ++i) {
    const SynFile file = random_file(random);
    for (const SynForm form : {SynForm::kTotal, SynForm::kThread, SynForm::kObject}) {
      SynFile other = file;
      other.form = form;
      const std::string text = write_syn(other);
      auto again = parse_syn(text, "r.syn");
      ASSERT_TRUE(again) << again.error().line() << "\n" << text;
      EXPECT_EQ(orders_of(*again), orders_of(file)) << text;
      EXPECT_EQ(again->open, file.open);
      EXPECT_EQ(again->expect.output, file.expect.output);
      EXPECT_EQ(again->expect.valid, file.expect.valid);
      EXPECT_EQ(again->specification, file.specification);
      EXPECT_EQ(again->detail, file.detail);
      auto twice = parse_syn(write_syn(*again), "r.syn");
      ASSERT_TRUE(twice);
      EXPECT_EQ(write_syn(*twice), write_syn(*again));
    }
  }
}

// Bytes that nobody meant: an error or a file, never anything else.
TEST(SynText, Fuzzed) {
  std::mt19937 random(11);
  constexpr char kSimple[] =
      "ravel-syn 1\nspecification \"a.valid\"\nevents simple\norder total\nmain.1\nmain.2\n...\n"
      "expect output \"C\\nB\"\nexpect valid\nexpect completed\n";
  const std::string seeds[] = {kLostWakeup, write_syn(random_file(random)), write_syn(random_file(random)),
                               write_syn(random_file(random)), kSimple};
  constexpr char kBytes[] = "#:,\"\\. \n\t\0mainlock1290x-+@/";
  for (int i = 0; i < 25'000; ++i) {
    std::string text = seeds[random() % 5];
    for (unsigned edits = 1 + random() % 6; edits != 0; --edits) {
      const std::size_t at = random() % (text.size() + 1);
      const char byte = random() % 8 == 0 ? static_cast<char>(random()) : kBytes[random() % (sizeof kBytes - 1)];
      switch (random() % 3) {
        case 0:
          text.insert(at, 1, byte);
          break;
        case 1:
          if (at < text.size()) text.erase(at, 1 + random() % 4);
          break;
        default:
          if (at < text.size()) text[at] = byte;
      }
    }
    auto file = parse_syn(text, "f.syn");
    if (!file) {
      ASSERT_EQ(file.error().line().compare(0, 6, "f.syn:"), 0) << file.error().line();
      continue;
    }
    auto again = parse_syn(write_syn(*file), "again.syn");
    ASSERT_TRUE(again) << again.error().line() << "\n" << write_syn(*file);
    ASSERT_EQ(write_syn(*again), write_syn(*file));
  }
}

}  // namespace
}  // namespace ravel
