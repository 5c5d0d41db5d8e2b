#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Functions that share state between threads are taken over by the runtime, or there is a reason why not.

Usage: shared_state.py ROOT BUILD. Names what POSIX says need not be safe for threads, and functions of the same kind as those that are taken over.
"""
import pathlib
import subprocess
import sys

# POSIX, 2.9.1: functions that need not be thread-safe; without those of libraries that this one has not (dbm, ndbm).
NOT_SAFE = """asctime basename catgets crypt ctime dirname dlerror drand48 ecvt encrypt endgrent endpwent endutxent fcvt ftw gcvt
getc_unlocked getchar_unlocked getdate getenv getgrent getgrgid getgrnam gethostent getlogin getnetbyaddr getnetbyname getnetent getopt
getprotobyname getprotobynumber getprotoent getpwent getpwnam getpwuid getservbyname getservbyport getservent getutxent getutxid getutxline
gmtime hcreate hdestroy hsearch inet_ntoa l64a lgamma lgammaf lgammal localeconv localtime lrand48 mblen mbtowc mrand48 nftw nl_langinfo ptsname
putc_unlocked putchar_unlocked pututxline rand readdir setenv setgrent setkey setlocale setpwent setutxent strerror strsignal strtok system ttyname
unsetenv wctomb""".split()
# What else one thread can do to another one's call.
SHARED = """stat lstat fstat fstatat statx access faccessat open openat creat fopen freopen tmpfile mkstemp unlink unlinkat remove rename renameat renameat2
link linkat symlink symlinkat readlink readlinkat mkdir mkdirat rmdir chdir fchdir getcwd chmod fchmod truncate ftruncate lseek pread pwrite opendir
stat64 lstat64 fstat64 open64 lseek64 pread64 pwrite64 truncate64 ftruncate64 umask dup dup2 dup3 pipe socket socketpair eventfd epoll_create1 close fcntl ioctl
flock lockf fseek ftell rewind feof ferror clearerr fgetc fputc ungetc fgets fputs fread fwrite fscanf fprintf setvbuf fgetwc fputwc sem_open sem_unlink
shm_open wait waitpid waitid atexit_handlers:__cxa_atexit at_quick_exit:__cxa_at_quick_exit on_exit sigaction signal pthread_setname_np pthread_getname_np
setrlimit prlimit srand random putenv clearenv pthread_key_create madvise munmap fork""".split()
WHY_NOT = {
    "basename": "changes only the text that it is given", "dirname": "changes only the text that it is given",
    "catgets": "reads a catalogue of its own", "crypt": "in a library of its own", "encrypt": "in a library of its own", "setkey": "in a library of its own",
    "dlerror": "of each thread", "inet_ntoa": "of each thread", "strerror": "of each thread", "strsignal": "of each thread", "gcvt": "answers in memory of the caller",
    "getchar_unlocked": "standard input leads outside", "putchar_unlocked": "standard output leads outside",
    "lgamma": "signgam is obsolete", "lgammaf": "signgam is obsolete", "lgammal": "signgam is obsolete",
    "localeconv": "a change of the locale is a setting", "nl_langinfo": "a change of the locale is a setting",
}


def exported(library: pathlib.Path) -> set[str]:
    listed = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].partition("@")[0] for line in listed.splitlines() if line}


def problems(names: set[str]) -> list[str]:
    found = []
    for word in NOT_SAFE + SHARED:
        name = word.rpartition(":")[2]
        if name not in names and name not in WHY_NOT:
            found.append(f"{name} shares state between threads and is not taken over")
        if name in names and name in WHY_NOT:
            found.append(f"{name} is taken over, though it says: {WHY_NOT[name]}")
    return found


def main() -> int:
    build = pathlib.Path(sys.argv[2])
    names = exported(build / "lib" / "libravel_rt.so")
    found = problems(names)
    # The check itself: it notices what is missing, and what is excused in vain.
    if len(problems(names - {"strtok"})) != len(found) + 1 or len(problems(names | {"dlerror"})) != len(found) + 1:
        found.append("the check does not notice a missing function")
    print("\n".join(found) or f"{len(NOT_SAFE) + len(SHARED)} functions, {len(WHY_NOT)} of them excused")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
