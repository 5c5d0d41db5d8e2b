// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What std::list does to its links is code of libstdc++.so, which is not instrumented: two threads that splice one list
// (a cache that moves what it finds to the front, under a shared lock) would race unseen. These stand in front of the
// library's functions, under the names it exports, and announce every link they follow or change.
#include "runtime/callouts/call_out.h"

namespace {

using ravel::rt::address_of;
using ravel::rt::range_access;
using ravel::rt::watched;

// As <bits/stl_list.h> lays it out: the interface between headers and library.
struct Node {
  Node* next;
  Node* previous;
};

class Links {
 public:
  explicit Links(std::uintptr_t pc) : pc_(pc) {}

  Node* get(Node* const& link) const {
    announce(link, false);
    return link;
  }
  void set(Node*& link, Node* to) const {
    announce(link, true);
    link = to;
  }
  void join(Node* first, Node* second) const {
    set(first->next, second);
    set(second->previous, first);
  }

 private:
  void announce(Node* const& link, bool write) const {
    if (watched()) range_access(address_of(&link), sizeof link, write, pc_);
  }

  std::uintptr_t pc_;
};

// The nodes from `first` to before `last` move in front of `position`.
void transfer(Node* position, Node* first, Node* last, const Links& links) {
  if (position == last) return;
  Node* const last_moved = links.get(last->previous);
  Node* const before_first = links.get(first->previous);
  Node* const before_position = links.get(position->previous);
  links.join(before_first, last);
  links.join(before_position, first);
  links.join(last_moved, position);
}

// `list` becomes the list whose nodes are first .. last; or is empty without them.
void adopt(Node* list, Node* first, Node* last, const Links& links) {
  if (first == nullptr) {
    links.join(list, list);
  } else {
    links.join(list, first);
    links.join(last, list);
  }
}

void swap_lists(Node* a, Node* b, const Links& links) {
  Node* const a_first = links.get(a->next);
  Node* const b_first = links.get(b->next);
  Node* const a_last = links.get(a->previous);
  Node* const b_last = links.get(b->previous);
  adopt(a, b_first == b ? nullptr : b_first, b_last, links);
  adopt(b, a_first == a ? nullptr : a_first, a_last, links);
}

}  // namespace

CALL_OUT void list_hook(Node* self, Node* position) asm("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
void list_hook(Node* self, Node* position) {
  const Links links(CALLER);
  Node* const before = links.get(position->previous);
  links.join(self, position);
  links.join(before, self);
}

CALL_OUT void list_unhook(Node* self) asm("_ZNSt8__detail15_List_node_base9_M_unhookEv");
void list_unhook(Node* self) {
  const Links links(CALLER);
  Node* const after = links.get(self->next);
  links.join(links.get(self->previous), after);
}

CALL_OUT void list_transfer(Node* self, Node* first,
                            Node* last) asm("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
void list_transfer(Node* self, Node* first, Node* last) {
  transfer(self, first, last, Links(CALLER));
}

CALL_OUT void list_reverse(Node* self) asm("_ZNSt8__detail15_List_node_base10_M_reverseEv");
void list_reverse(Node* self) {
  const Links links(CALLER);
  Node* at = self;
  do {
    Node* const next = links.get(at->next);
    links.set(at->next, links.get(at->previous));
    links.set(at->previous, next);
    at = next;
  } while (at != self);
}

CALL_OUT void list_swap(Node& a, Node& b) asm("_ZNSt8__detail15_List_node_base4swapERS0_S1_");
void list_swap(Node& a, Node& b) {
  swap_lists(&a, &b, Links(CALLER));
}
