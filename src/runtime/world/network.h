// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which sockets lead out of the program: nobody can replay the world. Addresses that the program has bound or connected
// from are its own; whatever else it connects to or reads from is written down as not controlled.
#pragma once

#include <sys/socket.h>

#include "model/event.h"

namespace ravel::rt {

// The socket has an address now: of bind, connect, a first sendto.
void note_own_address(int socket);
// The program sends to, or wants a connection with, `address`. True: it is one of its own.
bool note_destination(const char* call, const sockaddr* address, socklen_t length, LocationId location);
// After a connect to a socket in the file system: whose it is.
void note_peer_process(const char* call, int socket, const sockaddr* address, LocationId location);
// Something was read: from one of the program's own threads?
void note_source(int socket, LocationId location);

}  // namespace ravel::rt
