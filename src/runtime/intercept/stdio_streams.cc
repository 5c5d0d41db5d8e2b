// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Streams: flockfile and its kin, and the functions that would take the same lock inside the C library. Those are not
// scheduling points unless another thread holds the stream.
// The C library's inline versions would be second definitions of what is defined here.
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif

#include <stdarg.h>
#include <stdio.h>

#include "runtime/intercept/export.h"
#include "runtime/intercept/stream_entry.h"
#include "runtime/sync/stream_lock.h"

using namespace ravel;
using namespace ravel::rt;

// Where the call came from is looked up only when it matters.
#define RAVEL_ENTER_STREAM(stream) \
  if (g.in_control) enter_stream(stream, true, true, RAVEL_CALLER)

RAVEL_EXPORT void flockfile(FILE* stream) noexcept {
  if (!g.in_control) {
    real().flockfile(stream);
    return;
  }
  stream_lock(stream, RAVEL_CALLER);
}

RAVEL_EXPORT int ftrylockfile(FILE* stream) noexcept {
  RAVEL_PASS_THROUGH(ftrylockfile, stream);
  return stream_trylock(stream, RAVEL_CALLER) ? 0 : 1;
}

RAVEL_EXPORT void funlockfile(FILE* stream) noexcept {
  if (!g.in_control) {
    real().funlockfile(stream);
    return;
  }
  stream_unlock(stream, RAVEL_CALLER);
}

// name, result, parameters, arguments, the stream
#define RAVEL_STREAM_FUNCTIONS(X)                                                                                     \
  X(fputs, int, (const char* text, FILE* stream), (text, stream), stream)                                             \
  X(fputc, int, (int c, FILE* stream), (c, stream), stream)                                                           \
  X(putc, int, (int c, FILE* stream), (c, stream), stream)                                                            \
  X(putchar, int, (int c), (c), stdout)                                                                               \
  X(puts, int, (const char* text), (text), stdout)                                                                    \
  X(fwrite, std::size_t, (const void* data, std::size_t size, std::size_t count, FILE* stream),                       \
    (data, size, count, stream), stream)                                                                              \
  X(fflush, int, (FILE * stream), (stream), stream)                                                                   \
  X(fgetc, int, (FILE * stream), (stream), stream)                                                                    \
  X(getc, int, (FILE * stream), (stream), stream)                                                                     \
  X(getchar, int, (), (), stdin)                                                                                      \
  X(ungetc, int, (int c, FILE* stream), (c, stream), stream)                                                          \
  X(fgets, char*, (char* buffer, int size, FILE* stream), (buffer, size, stream), stream)                             \
  X(fread, std::size_t, (void* data, std::size_t size, std::size_t count, FILE* stream), (data, size, count, stream), \
    stream)                                                                                                           \
  X(getline, ssize_t, (char** line, std::size_t* size, FILE* stream), (line, size, stream), stream)                   \
  X(getdelim, ssize_t, (char** line, std::size_t* size, int end, FILE* stream), (line, size, end, stream), stream)    \
  X(vfprintf, int, (FILE * stream, const char* format, va_list list), (stream, format, list), stream)                 \
  X(vprintf, int, (const char* format, va_list list), (format, list), stdout)                                         \
  X(__vfprintf_chk, int, (FILE * stream, int flag, const char* format, va_list list), (stream, flag, format, list),   \
    stream)                                                                                                           \
  X(__vprintf_chk, int, (int flag, const char* format, va_list list), (flag, format, list), stdout)

#define X(name, Result, parameters, arguments, stream) \
  RAVEL_EXPORT Result name parameters {                \
    RAVEL_ENTER_STREAM(stream);                        \
    return real().name arguments;                      \
  }
RAVEL_STREAM_FUNCTIONS(X)
#undef X

// The same with arguments that only the callee can count.
#define RAVEL_FORMAT_FUNCTION(name, parameters, last, stream, call) \
  RAVEL_EXPORT int name parameters {                                \
    RAVEL_ENTER_STREAM(stream);                                     \
    va_list list;                                                   \
    va_start(list, last);                                           \
    const int result = real().call;                                 \
    va_end(list);                                                   \
    return result;                                                  \
  }
RAVEL_FORMAT_FUNCTION(printf, (const char* format, ...), format, stdout, vprintf(format, list))
RAVEL_FORMAT_FUNCTION(fprintf, (FILE * stream, const char* format, ...), format, stream, vfprintf(stream, format, list))
RAVEL_FORMAT_FUNCTION(__printf_chk, (int flag, const char* format, ...), format, stdout,
                      __vprintf_chk(flag, format, list))
RAVEL_FORMAT_FUNCTION(__fprintf_chk, (FILE * stream, int flag, const char* format, ...), format, stream,
                      __vfprintf_chk(stream, flag, format, list))
