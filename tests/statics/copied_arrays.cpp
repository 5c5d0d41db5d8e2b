// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Arrays of pointers that are copied into what is no array, and copies that begin within an array or an element.
// expect: RW 6 or more
#include <cstdlib>
#include <cstring>
#include <thread>
struct Item {
  int* where;
  long number;
};
struct Turned {
  long number;
  int* where;
};
struct Two {
  int* first;
  int* second;
};
struct Framed {
  long number;
  int* inside[2];
  int* behind;
};
struct Four {
  long number;
  int *first, *second, *third;
};
struct Last {
  Item item;
  int* tail;
};
struct Tailed {
  Item items[2];
  int* tail;
};
int x = 0, y = 0, z = 0, listed = 0, last = 0, taken = 0;
int* table[2] = {&x, &y};
Item items[4];
Framed framed;
Tailed tailed, given;
int main(int count, char**) {
  Two two{};
  std::memcpy(&two, table, sizeof two);
  items[1].where = &z;
  Turned turned{};
  std::memcpy(&turned, &items[0].number, sizeof turned);
  framed.inside[1] = &x;
  Four four{};
  std::memcpy(&four, &framed, sizeof four);
  int** list = static_cast<int**>(std::malloc(sizeof(int*) * 8 * count));
  for (int i = 0; i < 8 * count; ++i) list[i] = &listed;
  Two part{};
  std::memcpy(&part, list, sizeof part);
  tailed.tail = &last;
  Last end{};
  std::memcpy(&end, static_cast<void*>(&tailed.items[count]), sizeof end);
  Last source{{}, &taken};
  std::memcpy(static_cast<void*>(&given.items[count]), &source, sizeof source);
  std::thread t1([&] {
    *two.second = 1;
    *turned.where = 1;
    *four.second = 1;
    *part.second = 1;
    *end.tail = 1;
    *given.tail = 1;
  });
  std::thread t2([] {
    y = 2;
    z = 2;
    x = 2;
    listed = 2;
    last = 2;
    taken = 2;
  });
  t1.join();
  t2.join();
}
