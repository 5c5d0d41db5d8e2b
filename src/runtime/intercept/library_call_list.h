// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Functions of the C and C++ library that share state between threads and need nothing else of ours: library_calls.cc
// makes each a scheduling point, then the library does the work. Read by the assembler too.
//
// X(name, effect, state, stream)
//   effect   reads or changes `state`, a LibraryState; sets: something for the whole process of which nobody knows who
//   looks
//            at it, so that no search is complete that meets the call beside other threads
//   stream   which argument is the stream, 1 to 6, that another thread may hold; kUnlocked(n): it is not waited for; 0:
//   none
#pragma once

// clang-format off
#define RAVEL_LIBRARY_CALLS(X) \
  RAVEL_CALLS_WITH_FILES(X) RAVEL_CALLS_WITH_STREAMS(X) RAVEL_CALLS_WITH_LIBRARY_STATE(X) RAVEL_CALLS_WITH_DATABASES(X) RAVEL_CALLS_THAT_SET(X)

#define RAVEL_CALLS_WITH_FILES(X) \
  X(fstat, kReads, kFiles, 0) X(fstat64, kReads, kFiles, 0) X(stat64, kReads, kFiles, 0) X(lstat64, kReads, kFiles, 0) \
  X(fstatat, kReads, kFiles, 0) X(fstatat64, kReads, kFiles, 0) X(statx, kReads, kFiles, 0) X(euidaccess, kReads, kFiles, 0) \
  X(eaccess, kReads, kFiles, 0) X(readlinkat, kReads, kFiles, 0) X(__readlink_chk, kReads, kFiles, 0) X(__readlinkat_chk, kReads, kFiles, 0) \
  X(realpath, kReads, kFiles, 0) X(__realpath_chk, kReads, kFiles, 0) X(canonicalize_file_name, kReads, kFiles, 0) \
  X(get_current_dir_name, kReads, kFiles, 0) X(getwd, kReads, kFiles, 0) X(__getwd_chk, kReads, kFiles, 0) X(__getcwd_chk, kReads, kFiles, 0) \
  X(statfs, kReads, kFiles, 0) X(statfs64, kReads, kFiles, 0) X(fstatfs, kReads, kFiles, 0) X(fstatfs64, kReads, kFiles, 0) \
  X(statvfs, kReads, kFiles, 0) X(statvfs64, kReads, kFiles, 0) X(fstatvfs, kReads, kFiles, 0) X(fstatvfs64, kReads, kFiles, 0) \
  X(getxattr, kReads, kFiles, 0) X(lgetxattr, kReads, kFiles, 0) X(fgetxattr, kReads, kFiles, 0) X(listxattr, kReads, kFiles, 0) \
  X(llistxattr, kReads, kFiles, 0) X(flistxattr, kReads, kFiles, 0) X(glob, kReads, kFiles, 0) X(glob64, kReads, kFiles, 0) \
  X(ftw, kReads, kFiles, 0) X(ftw64, kReads, kFiles, 0) X(nftw, kReads, kFiles, 0) X(nftw64, kReads, kFiles, 0) \
  X(opendir, kReads, kFiles, 0) X(scandir, kReads, kFiles, 0) X(scandir64, kReads, kFiles, 0) X(scandirat, kReads, kFiles, 0) \
  X(scandirat64, kReads, kFiles, 0) X(pread64, kReads, kFiles, 0) X(__pread_chk, kReads, kFiles, 0) X(__pread64_chk, kReads, kFiles, 0) \
  X(preadv, kReads, kFiles, 0) X(preadv64, kReads, kFiles, 0) X(preadv2, kReads, kFiles, 0) X(preadv64v2, kReads, kFiles, 0) \
  X(readdir, kChanges, kFiles, 0) X(readdir64, kChanges, kFiles, 0) X(readdir_r, kChanges, kFiles, 0) X(readdir64_r, kChanges, kFiles, 0) \
  X(rewinddir, kChanges, kFiles, 0) X(seekdir, kChanges, kFiles, 0) X(telldir, kReads, kFiles, 0) X(fts_read, kChanges, kFiles, 0) \
  X(fts64_read, kChanges, kFiles, 0) X(remove, kChanges, kFiles, 0) X(chmod, kChanges, kFiles, 0) X(fchmod, kChanges, kFiles, 0) \
  X(fchmodat, kChanges, kFiles, 0) X(lchmod, kChanges, kFiles, 0) X(chown, kChanges, kFiles, 0) X(fchown, kChanges, kFiles, 0) \
  X(lchown, kChanges, kFiles, 0) X(fchownat, kChanges, kFiles, 0) X(utime, kChanges, kFiles, 0) X(utimes, kChanges, kFiles, 0) \
  X(utimensat, kChanges, kFiles, 0) X(futimens, kChanges, kFiles, 0) X(futimes, kChanges, kFiles, 0) X(lutimes, kChanges, kFiles, 0) \
  X(futimesat, kChanges, kFiles, 0) X(linkat, kChanges, kFiles, 0) X(symlinkat, kChanges, kFiles, 0) X(renameat, kChanges, kFiles, 0) \
  X(renameat2, kChanges, kFiles, 0) X(mkdirat, kChanges, kFiles, 0) X(mkfifo, kChanges, kFiles, 0) X(mkfifoat, kChanges, kFiles, 0) \
  X(mknod, kChanges, kFiles, 0) X(mknodat, kChanges, kFiles, 0) X(fchdir, kChanges, kFiles, 0) X(chroot, kChanges, kFiles, 0) \
  X(fallocate, kChanges, kFiles, 0) X(fallocate64, kChanges, kFiles, 0) X(posix_fallocate, kChanges, kFiles, 0) \
  X(posix_fallocate64, kChanges, kFiles, 0) X(truncate64, kChanges, kFiles, 0) X(ftruncate64, kChanges, kFiles, 0) X(lseek64, kChanges, kFiles, 0) \
  X(pwrite64, kChanges, kFiles, 0) X(pwritev, kChanges, kFiles, 0) X(pwritev64, kChanges, kFiles, 0) X(pwritev2, kChanges, kFiles, 0) \
  X(pwritev64v2, kChanges, kFiles, 0) X(copy_file_range, kChanges, kFiles, 0) X(sendfile, kChanges, kFiles, 0) X(sendfile64, kChanges, kFiles, 0) \
  X(setxattr, kChanges, kFiles, 0) X(lsetxattr, kChanges, kFiles, 0) X(fsetxattr, kChanges, kFiles, 0) X(removexattr, kChanges, kFiles, 0) \
  X(lremovexattr, kChanges, kFiles, 0) X(fremovexattr, kChanges, kFiles, 0) X(sem_open, kChanges, kFiles, 0) X(sem_unlink, kChanges, kFiles, 0) \
  X(shm_open, kChanges, kFiles, 0) X(shm_unlink, kChanges, kFiles, 0) X(eventfd, kChanges, kDescriptors, 0) \
  X(epoll_create, kChanges, kDescriptors, 0) X(epoll_create1, kChanges, kDescriptors, 0) X(memfd_create, kChanges, kDescriptors, 0) \
  X(inotify_init, kChanges, kDescriptors, 0) X(inotify_init1, kChanges, kDescriptors, 0) X(posix_openpt, kChanges, kDescriptors, 0) \
  X(tmpfile, kChanges, kDescriptors, 0) X(tmpfile64, kChanges, kDescriptors, 0)

#define RAVEL_CALLS_WITH_STREAMS(X) \
  X(feof, kReads, kStreams, 1) X(ferror, kReads, kStreams, 1) X(clearerr, kChanges, kStreams, 1) X(fseek, kChanges, kStreams, 1) \
  X(fseeko, kChanges, kStreams, 1) X(fseeko64, kChanges, kStreams, 1) X(ftell, kReads, kStreams, 1) X(ftello, kReads, kStreams, 1) \
  X(ftello64, kReads, kStreams, 1) X(rewind, kChanges, kStreams, 1) X(fgetpos, kReads, kStreams, 1) X(fgetpos64, kReads, kStreams, 1) \
  X(fsetpos, kChanges, kStreams, 1) X(fsetpos64, kChanges, kStreams, 1) X(setbuf, kChanges, kStreams, 1) X(setbuffer, kChanges, kStreams, 1) \
  X(setlinebuf, kChanges, kStreams, 1) X(setvbuf, kChanges, kStreams, 1) X(freopen, kChanges, kStreams, 3) X(freopen64, kChanges, kStreams, 3) \
  X(fscanf, kChanges, kStreams, 1) X(vfscanf, kChanges, kStreams, 1) X(__isoc99_fscanf, kChanges, kStreams, 1) \
  X(__isoc99_vfscanf, kChanges, kStreams, 1) X(scanf, kChanges, kStreams, 0) X(vscanf, kChanges, kStreams, 0) \
  X(__isoc99_scanf, kChanges, kStreams, 0) X(__isoc99_vscanf, kChanges, kStreams, 0) X(getw, kChanges, kStreams, 1) \
  X(putw, kChanges, kStreams, 2) X(fgetwc, kChanges, kStreams, 1) X(getwc, kChanges, kStreams, 1) X(fgetws, kChanges, kStreams, 3) \
  X(fputwc, kChanges, kStreams, 2) X(putwc, kChanges, kStreams, 2) X(fputws, kChanges, kStreams, 2) X(ungetwc, kChanges, kStreams, 2) \
  X(fwide, kChanges, kStreams, 1) X(fwprintf, kChanges, kStreams, 1) X(vfwprintf, kChanges, kStreams, 1) X(fwscanf, kChanges, kStreams, 1) \
  X(vfwscanf, kChanges, kStreams, 1) X(__fgets_chk, kChanges, kStreams, 4) X(__fread_chk, kChanges, kStreams, 5) \
  X(fgetc_unlocked, kChanges, kStreams, kUnlocked(1)) X(getc_unlocked, kChanges, kStreams, kUnlocked(1)) \
  X(fputc_unlocked, kChanges, kStreams, kUnlocked(2)) X(putc_unlocked, kChanges, kStreams, kUnlocked(2)) \
  X(fputs_unlocked, kChanges, kStreams, kUnlocked(2)) X(fgets_unlocked, kChanges, kStreams, kUnlocked(3)) \
  X(fread_unlocked, kChanges, kStreams, kUnlocked(4)) X(fwrite_unlocked, kChanges, kStreams, kUnlocked(4)) \
  X(feof_unlocked, kReads, kStreams, kUnlocked(1)) X(ferror_unlocked, kReads, kStreams, kUnlocked(1)) \
  X(clearerr_unlocked, kChanges, kStreams, kUnlocked(1)) X(fflush_unlocked, kChanges, kStreams, kUnlocked(1))

#define RAVEL_CALLS_WITH_LIBRARY_STATE(X) \
  X(strtok, kChanges, kTokens, 0) X(getopt, kChanges, kTokens, 0) X(getopt_long, kChanges, kTokens, 0) X(getopt_long_only, kChanges, kTokens, 0) \
  X(seed48, kChanges, kRandom, 0) X(lcong48, kChanges, kRandom, 0) X(initstate, kChanges, kRandom, 0) X(setstate, kChanges, kRandom, 0) \
  X(__cxa_atexit, kChanges, kExitHandlers, 0) X(on_exit, kChanges, kExitHandlers, 0) X(__cxa_at_quick_exit, kChanges, kExitHandlers, 0) \
  X(__register_atfork, kChanges, kExitHandlers, 0) X(prctl, kChanges, kNames, 0) X(wait3, kChanges, kChildren, 0) \
  X(mblen, kChanges, kMultibyte, 0) X(mbtowc, kChanges, kMultibyte, 0) X(wctomb, kChanges, kMultibyte, 0) \
  X(hcreate, kChanges, kSearchTable, 0) X(hsearch, kChanges, kSearchTable, 0) X(hdestroy, kChanges, kSearchTable, 0)

#define RAVEL_CALLS_WITH_DATABASES(X) \
  X(getpwnam, kChanges, kDatabases, 0) X(getpwuid, kChanges, kDatabases, 0) X(getpwent, kChanges, kDatabases, 0) X(setpwent, kChanges, kDatabases, 0) \
  X(endpwent, kChanges, kDatabases, 0) X(fgetpwent, kChanges, kDatabases, 0) X(getgrnam, kChanges, kDatabases, 0) X(getgrgid, kChanges, kDatabases, 0) \
  X(getgrent, kChanges, kDatabases, 0) X(setgrent, kChanges, kDatabases, 0) X(endgrent, kChanges, kDatabases, 0) X(fgetgrent, kChanges, kDatabases, 0) \
  X(getspnam, kChanges, kDatabases, 0) X(getspent, kChanges, kDatabases, 0) X(setspent, kChanges, kDatabases, 0) X(endspent, kChanges, kDatabases, 0) \
  X(gethostbyname, kChanges, kDatabases, 0) X(gethostbyname2, kChanges, kDatabases, 0) X(gethostbyaddr, kChanges, kDatabases, 0) \
  X(gethostent, kChanges, kDatabases, 0) X(sethostent, kChanges, kDatabases, 0) X(endhostent, kChanges, kDatabases, 0) \
  X(getnetbyname, kChanges, kDatabases, 0) X(getnetbyaddr, kChanges, kDatabases, 0) X(getnetent, kChanges, kDatabases, 0) \
  X(setnetent, kChanges, kDatabases, 0) X(endnetent, kChanges, kDatabases, 0) X(getprotobyname, kChanges, kDatabases, 0) \
  X(getprotobynumber, kChanges, kDatabases, 0) X(getprotoent, kChanges, kDatabases, 0) X(setprotoent, kChanges, kDatabases, 0) \
  X(endprotoent, kChanges, kDatabases, 0) X(getservbyname, kChanges, kDatabases, 0) X(getservbyport, kChanges, kDatabases, 0) \
  X(getservent, kChanges, kDatabases, 0) X(setservent, kChanges, kDatabases, 0) X(endservent, kChanges, kDatabases, 0) \
  X(getutent, kChanges, kDatabases, 0) X(getutid, kChanges, kDatabases, 0) X(getutline, kChanges, kDatabases, 0) X(pututline, kChanges, kDatabases, 0) \
  X(setutent, kChanges, kDatabases, 0) X(endutent, kChanges, kDatabases, 0) X(getutxent, kChanges, kDatabases, 0) X(getutxid, kChanges, kDatabases, 0) \
  X(getutxline, kChanges, kDatabases, 0) X(pututxline, kChanges, kDatabases, 0) X(setutxent, kChanges, kDatabases, 0) X(endutxent, kChanges, kDatabases, 0) \
  X(getmntent, kChanges, kDatabases, 0) X(getfsent, kChanges, kDatabases, 0) X(getfsspec, kChanges, kDatabases, 0) X(getfsfile, kChanges, kDatabases, 0) \
  X(setfsent, kChanges, kDatabases, 0) X(endfsent, kChanges, kDatabases, 0) X(setnetgrent, kChanges, kDatabases, 0) X(getnetgrent, kChanges, kDatabases, 0) \
  X(endnetgrent, kChanges, kDatabases, 0) X(getusershell, kChanges, kDatabases, 0) X(setusershell, kChanges, kDatabases, 0) \
  X(endusershell, kChanges, kDatabases, 0) X(getlogin, kChanges, kDatabases, 0) X(ttyname, kChanges, kDatabases, 0) X(ptsname, kChanges, kDatabases, 0) \
  X(getdate, kChanges, kDatabases, 0) X(ecvt, kChanges, kDatabases, 0) X(fcvt, kChanges, kDatabases, 0) X(qecvt, kChanges, kDatabases, 0) \
  X(qfcvt, kChanges, kDatabases, 0) X(l64a, kChanges, kDatabases, 0) X(ether_ntoa, kChanges, kDatabases, 0) X(ether_aton, kChanges, kDatabases, 0) \
  X(getpass, kChanges, kDatabases, 0)

// The mangled names: std::set_new_handler, set_terminate, set_unexpected, locale::global, ios_base::sync_with_stdio,
// pmr::set_default_resource, promise::set_value_at_thread_exit (which makes it ready inside the library, unseen).
#define RAVEL_CALLS_THAT_SET(X) \
  X(setlocale, kSets, kCount, 0) X(bindtextdomain, kSets, kCount, 0) X(textdomain, kSets, kCount, 0) X(bind_textdomain_codeset, kSets, kCount, 0) \
  X(tzset, kSets, kCount, 0) X(setrlimit, kSets, kCount, 0) X(setrlimit64, kSets, kCount, 0) X(prlimit, kSets, kCount, 0) X(prlimit64, kSets, kCount, 0) \
  X(nice, kSets, kCount, 0) X(unshare, kSets, kCount, 0) X(setns, kSets, kCount, 0) X(setuid, kSets, kCount, 0) X(seteuid, kSets, kCount, 0) \
  X(setgid, kSets, kCount, 0) X(setegid, kSets, kCount, 0) X(setreuid, kSets, kCount, 0) X(setregid, kSets, kCount, 0) X(setresuid, kSets, kCount, 0) \
  X(setresgid, kSets, kCount, 0) X(setgroups, kSets, kCount, 0) X(initgroups, kSets, kCount, 0) X(setsid, kSets, kCount, 0) X(setpgrp, kSets, kCount, 0) \
  X(sethostname, kSets, kCount, 0) X(setdomainname, kSets, kCount, 0) X(settimeofday, kSets, kCount, 0) X(clock_settime, kSets, kCount, 0) \
  X(siginterrupt, kSets, kCount, 0) X(sigset, kSets, kCount, 0) X(sighold, kSets, kCount, 0) X(sigrelse, kSets, kCount, 0) X(sigignore, kSets, kCount, 0) \
  X(ioctl, kSets, kCount, 0) X(setsockopt, kSets, kCount, 0) X(dprintf, kSets, kCount, 0) X(vdprintf, kSets, kCount, 0) X(__dprintf_chk, kSets, kCount, 0) \
  X(__vdprintf_chk, kSets, kCount, 0) X(splice, kSets, kCount, 0) X(tee, kSets, kCount, 0) X(vmsplice, kSets, kCount, 0) X(recvmmsg, kSets, kCount, 0) \
  X(sendmmsg, kSets, kCount, 0) X(close_range, kSets, kCount, 0) X(closefrom, kSets, kCount, 0) X(tcsetattr, kSets, kCount, 0) X(tcflush, kSets, kCount, 0) \
  X(mq_open, kSets, kCount, 0) X(mq_close, kSets, kCount, 0) X(mq_unlink, kSets, kCount, 0) X(mq_setattr, kSets, kCount, 0) X(mq_getattr, kSets, kCount, 0) \
  X(mq_send, kSets, kCount, 0) X(mq_receive, kSets, kCount, 0) X(mq_timedsend, kSets, kCount, 0) X(mq_timedreceive, kSets, kCount, 0) \
  X(semget, kSets, kCount, 0) X(semop, kSets, kCount, 0) X(semtimedop, kSets, kCount, 0) X(semctl, kSets, kCount, 0) X(shmget, kSets, kCount, 0) \
  X(shmat, kSets, kCount, 0) X(shmdt, kSets, kCount, 0) X(shmctl, kSets, kCount, 0) X(msgget, kSets, kCount, 0) X(msgsnd, kSets, kCount, 0) \
  X(msgrcv, kSets, kCount, 0) X(msgctl, kSets, kCount, 0) \
  X(aio_read64, kSets, kCount, 0) X(aio_write64, kSets, kCount, 0) X(aio_fsync64, kSets, kCount, 0) \
  X(lio_listio64, kSets, kCount, 0) X(pthread_setconcurrency, kSets, kCount, 0) X(pthread_setattr_default_np, kSets, kCount, 0) \
  X(madvise, kSets, kCount, 0) X(_ZSt15set_new_handlerPFvvE, kSets, kCount, 0) X(_ZSt13set_terminatePFvvE, kSets, kCount, 0) \
  X(_ZSt14set_unexpectedPFvvE, kSets, kCount, 0) X(_ZNSt6locale6globalERKS_, kSets, kCount, 0) X(_ZNSt8ios_base15sync_with_stdioEb, kSets, kCount, 0) \
  X(_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE, kSets, kCount, 0) \
  X(_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv, kSets, kCount, 0)
// clang-format on
