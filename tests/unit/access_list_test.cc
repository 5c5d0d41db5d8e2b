// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The links of std::list: the runtime's functions stand in front of libstdc++'s, so the std::list of this file uses
// them. Random operations leave the lists that vectors predict, forwards and backwards, and every link that changed was
// announced as written.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <set>
#include <vector>

#include "support/access_fake_core.h"

namespace ravel::rt {
namespace {

using List = std::list<int>;
using Model = std::vector<int>;

class ListTest : public ::testing::Test {
 protected:
  void SetUp() override { g_core = {}; }
  void TearDown() override { g_watch = false; }

  static void expect_same(const List& list, const Model& model) {
    ASSERT_EQ(Model(list.begin(), list.end()), model);
    ASSERT_EQ(Model(list.rbegin(), list.rend()), Model(model.rbegin(), model.rend()));
  }
  // With what the operation announced kept in g_core.
  template <class Operation>
  static void watch(Operation operation) {
    g_core.plain.clear();
    g_watch = true;
    operation();
    g_watch = false;
  }
};

TEST_F(ListTest, RandomOperationsKeepTheLinks) {
  std::mt19937 random(7);
  List lists[2];
  Model models[2];
  for (int step = 0; step < 20'000; ++step) {
    const int which = static_cast<int>(random() % 2);
    List& list = lists[which];
    Model& model = models[which];
    List& other = lists[1 - which];
    Model& other_model = models[1 - which];
    const std::size_t at = model.empty() ? 0 : random() % model.size();
    const std::size_t to = random() % (model.size() + 1);
    const std::size_t from = other_model.empty() ? 0 : random() % other_model.size();
    switch (random() % 8) {
      case 0:
      case 1:
        watch([&] { list.insert(std::next(list.begin(), static_cast<long>(at)), step); });
        model.insert(model.begin() + static_cast<long>(at), step);
        break;
      case 2:
        if (model.empty()) break;
        watch([&] { list.erase(std::next(list.begin(), static_cast<long>(at))); });
        model.erase(model.begin() + static_cast<long>(at));
        break;
      case 3: {  // one element to another place of its list
        if (model.empty()) break;
        watch([&] {
          list.splice(std::next(list.begin(), static_cast<long>(to)), list,
                      std::next(list.begin(), static_cast<long>(at)));
        });
        const int value = model[at];
        model.insert(model.begin() + static_cast<long>(to), value);
        model.erase(model.begin() + static_cast<long>(at < to ? at : at + 1));
        break;
      }
      case 4:  // the rest of the other list
        watch([&] {
          list.splice(std::next(list.begin(), static_cast<long>(to)), other,
                      std::next(other.begin(), static_cast<long>(from)), other.end());
        });
        model.insert(model.begin() + static_cast<long>(to), other_model.begin() + static_cast<long>(from),
                     other_model.end());
        other_model.resize(from);
        break;
      case 5:
        watch([&] { list.reverse(); });
        std::reverse(model.begin(), model.end());
        break;
      case 6:
        watch([&] { list.swap(other); });
        model.swap(other_model);
        break;
      case 7:
        watch([&] { list.sort(); });
        std::sort(model.begin(), model.end());
        break;
    }
    expect_same(list, model);
    expect_same(other, other_model);
  }
}

// The sentinel and the nodes: all links there are.
std::set<std::uintptr_t> links_of(List& list) {
  std::set<std::uintptr_t> result;
  const auto add = [&](const void* node) {
    result.insert(reinterpret_cast<std::uintptr_t>(node));
    result.insert(reinterpret_cast<std::uintptr_t>(node) + sizeof(void*));
  };
  add(&list);
  for (int& value : list) add(reinterpret_cast<char*>(&value) - 2 * sizeof(void*));
  return result;
}

TEST_F(ListTest, ChangedLinksAreAnnouncedAsWritten) {
  List list{1, 2, 3, 4, 5};
  const std::set<std::uintptr_t> links = links_of(list);
  const auto contents = [&] {
    std::vector<void*> result;
    for (const std::uintptr_t link : links) result.push_back(*reinterpret_cast<void**>(link));
    return result;
  };
  const auto changed_are_written = [&](auto operation) {
    const std::vector<void*> before = contents();
    watch(operation);
    const std::vector<void*> after = contents();
    std::set<std::uintptr_t> written;
    for (const Plain& access : g_core.plain) {
      EXPECT_EQ(access.size, sizeof(void*));
      EXPECT_TRUE(links.count(access.address) == 1);
      if (access.write) written.insert(access.address);
    }
    std::size_t i = 0;
    for (const std::uintptr_t link : links) {
      EXPECT_TRUE(before[i] == after[i] || written.count(link) == 1);
      ++i;
    }
    EXPECT_FALSE(written.empty());
  };
  changed_are_written([&] { list.splice(list.begin(), list, std::prev(list.end())); });
  changed_are_written([&] { list.splice(list.end(), list, list.begin(), std::next(list.begin(), 3)); });
  changed_are_written([&] { list.reverse(); });
}

}  // namespace
}  // namespace ravel::rt
