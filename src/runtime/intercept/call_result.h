// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// System calls report errors as negative numbers, C functions in errno.
#pragma once

#include <errno.h>

namespace ravel::rt {

inline long as_c_result(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

template <class T>
long as_argument(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

}  // namespace ravel::rt
