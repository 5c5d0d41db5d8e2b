/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Ravel authors
 *
 * deny NUMBER[,NUMBER...] COMMAND...: runs a command under a seccomp filter that refuses these system calls with EPERM,
 * as containers do. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { kMost = 16 };

int main(int count, char** arguments) {
  if (count < 3) return 2;
  struct sock_filter code[2 * kMost + 2];
  unsigned short length = 0;
  code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (char* at = arguments[1]; *at != 0 && length < 2 * kMost; at += *at == ',') {
    const unsigned number = (unsigned)strtoul(at, &at, 10);
    code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  }
  code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog program = {length, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("deny: seccomp");
    return 77;
  }
  execvp(arguments[2], arguments + 2);
  perror("deny: exec");
  return 127;
}
