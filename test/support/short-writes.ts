import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/**
 * Compiles a library that, preloaded, makes write(2) take only a part of what it is given: 1 to 97 bytes at a time on the
 * descriptor named by SHORT_FD. Returns its path.
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
#include <unistd.h>
ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  static int target = -2;
  static unsigned turn;
  if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (target == -2) target = getenv("SHORT_FD") ? atoi(getenv("SHORT_FD")) : -1;
  if (fd == target) {
    size_t part = (turn++ * 31) % 97 + 1;
    if (part < count) count = part;
  }
  return real(fd, bytes, count);
}
`
