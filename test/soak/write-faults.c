// Preloaded, has write(2) fail as a control file says, which another process changes while this one runs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct fault {
  int32_t on;
  int32_t error; // errno, or 0
  int32_t every; // each so-manieth write fails
  int32_t room;  // bytes that are taken before the first failure
  int32_t most;  // bytes that one write takes at most, or 0
  int32_t delay; // microseconds
};

static struct fault *faults; // [0]: files that are appended to, [1]: the standard output
static ssize_t (*real)(int, const void *, size_t);
static unsigned turns;

static void open_control(void) {
  const char *path = getenv("WRITE_FAULTS");
  real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (!path) return;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *at = mmap(0, 2 * sizeof(struct fault), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) faults = at;
  close(fd);
}

// A pipe may have been opened anew, so it is known by its inode.
static struct fault *fault_of(int fd) {
  struct stat this, out;
  if (fstat(fd, &this) != 0) return 0;
  if (faults[0].on && S_ISREG(this.st_mode) && (fcntl(fd, F_GETFL) & O_APPEND)) return &faults[0];
  if (faults[1].on && fstat(1, &out) == 0 && out.st_ino == this.st_ino && out.st_dev == this.st_dev) return &faults[1];
  return 0;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  if (!real) open_control();
  if (!faults || !(faults[0].on || faults[1].on)) return real(fd, bytes, count);
  int before = errno;
  struct fault *fault = fault_of(fd);
  errno = before;
  if (!fault) return real(fd, bytes, count);
  unsigned turn = ++turns;
  if (fault->delay) usleep(fault->delay);
  if (fault->error) {
    if (fault->room > 0) {
      if (count > (size_t)fault->room) count = fault->room;
      fault->room -= count;
    } else if (fault->every <= 1 || turn % fault->every == 0) {
      errno = fault->error;
      return -1;
    }
  }
  if (fault->most) {
    size_t part = turn * 31 % fault->most + 1;
    if (part < count) count = part;
  }
  return real(fd, bytes, count);
}
