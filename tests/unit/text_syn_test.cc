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
      auto twice = parse_syn(write_syn(*again), "r.syn");
      ASSERT_TRUE(twice);
      EXPECT_EQ(write_syn(*twice), write_syn(*again));
    }
  }
}

// Bytes that nobody meant: an error or a file, never anything else.
TEST(SynText, Fuzzed) {
  std::mt19937 random(11);
  const std::string seeds[] = {kLostWakeup, write_syn(random_file(random)), write_syn(random_file(random)),
                               write_syn(random_file(random))};
  constexpr char kBytes[] = "#:,\"\\. \n\t\0mainlock1290x-+@/";
  for (int i = 0; i < 20'000; ++i) {
    std::string text = seeds[random() % 4];
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
