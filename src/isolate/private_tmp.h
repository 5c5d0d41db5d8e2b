// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// --scratch: /tmp as the executions of this process see it. What they write there lies in a layer of its own (overlayfs
// over a tmpfs, in a mount namespace of the worker), which is thrown away before the next one; what was there before is
// seen as it is. Where the kernel does not allow namespaces or overlays, /tmp stays the system's.
#pragma once

namespace ravel {

// Once in a worker, before it has prepared anything: takes it into a mount namespace. rt::g.private_tmp says whether it
// worked.
void enter_private_tmp(const char* base);

// Takes the layer away; `base` is then what it was outside. Before prepare_scratch.
void drop_tmp_layer(const char* base);
// A fresh one. After prepare_scratch.
bool add_tmp_layer(const char* base);

}  // namespace ravel
