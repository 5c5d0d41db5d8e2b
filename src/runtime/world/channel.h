// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a descriptor leads to. Both ends of a pipe are one channel, found by the pipe's inode, so that no table of
// descriptors has to follow dup, fork and close. The pair of socketpair is one too; all other sockets share one, and so
// do event descriptors. Files, and what the program has inherited as standard input and output, are not taken over.
#pragma once

#include <cstdint>

namespace ravel::rt {

struct Channel {
  std::uintptr_t address = 0;  // channel_address; 0: not taken over
  bool outside = true;         // somebody else than the program's threads may be at the other end
  bool file = false;           // a file of the program's own: never blocks, but is shared
  bool foreign = false;        // a pipe to another process: looked at only when nobody can run, or chance would decide
};

Channel channel_of(int descriptor);

// Both ends are the program's own.
void note_own_pair(int first, int second);
// A descriptor that the outside world can reach was made (a socket with an address, say).
void note_outside();

// May anything still come from outside through a descriptor that waits on others (epoll)?
bool outside_possible();

}  // namespace ravel::rt
