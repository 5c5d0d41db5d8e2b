/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Ravel authors
 *
 * Preloaded into gdb: writing the extended register state fails, as it does for gdb 13 on CPUs with AMX. The file named
 * by RAVEL_TEST_SEEN gets a line when gdb starts and one for each write that was refused. The debugged program is not
 * concerned. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>

enum { kExtendedState = 0x202 }; /* NT_X86_XSTATE */

static void note(const char* line) {
  const char* const path = getenv("RAVEL_TEST_SEEN");
  FILE* const file = path != NULL ? fopen(path, "a") : NULL;
  if (file == NULL) return;
  fputs(line, file);
  fclose(file);
}

__attribute__((constructor)) static void begin(void) {
  if (strcmp(program_invocation_short_name, "gdb") != 0) return;
  unsetenv("LD_PRELOAD");
  note("gdb\n");
}

long ptrace(enum __ptrace_request request, ...) {
  va_list rest;
  va_start(rest, request);
  const pid_t process = va_arg(rest, pid_t);
  void* const address = va_arg(rest, void*);
  void* const data = va_arg(rest, void*);
  va_end(rest);
  if (request == PTRACE_SETREGSET && (long)address == kExtendedState) {
    note("refused\n");
    errno = EFAULT;
    return -1;
  }
  long (*const real)(enum __ptrace_request, ...) = (long (*)(enum __ptrace_request, ...))dlsym(RTLD_NEXT, "ptrace");
  return real(request, process, address, data);
}
