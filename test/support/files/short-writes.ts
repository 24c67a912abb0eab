import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/**
 * Compiles a library for LD_PRELOAD that limits write(2) and writev(2) to 1 to 97 bytes: on the descriptor SHORT_FD, or on the file,
 * pipe or socket at SHORT_PATH. Returns its path.
 */
export function shortWrites(path: string): string {
  writeFileSync(`${path}.c`, source)
  execFileSync('cc', ['-shared', '-fPIC', '-o', path, `${path}.c`, '-ldl'], { stdio: 'pipe' })
  return path
}

const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
static int meant(int fd) {
  static int target = -2;
  static const char *path;
  struct stat ours, theirs;
  if (target == -2) {
    target = getenv("SHORT_FD") ? atoi(getenv("SHORT_FD")) : -1;
    path = getenv("SHORT_PATH");
  }
  if (fd == target) return 1;
  return path && !stat(path, &theirs) && !fstat(fd, &ours) && ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}
static size_t shorter(size_t count) {
  static unsigned turn;
  size_t part = (turn++ * 31) % 97 + 1;
  return part < count ? part : count;
}
ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  return real(fd, bytes, meant(fd) ? shorter(count) : count);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  static ssize_t (*real)(int, const struct iovec *, int);
  if (!real) real = (ssize_t (*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  if (count > 0 && meant(fd)) return write(fd, parts[0].iov_base, parts[0].iov_len);
  return real(fd, parts, count);
}
`
