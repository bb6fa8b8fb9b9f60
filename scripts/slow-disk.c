/*
 * Delays or fails the system calls that write a file to the disk. The file named by SVC_DISK says
 * how: a number of milliseconds, or "broken".
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int (*sync_call)(int);

static int sync_as(const char *name, int fd) {
  const char *path = getenv("SVC_DISK");
  FILE *file = path ? fopen(path, "r") : NULL;
  long milliseconds = 0;
  int is_number = file && fscanf(file, "%ld", &milliseconds) == 1;
  if (file) fclose(file);
  if (file && !is_number) {
    errno = EIO;
    return -1;
  }
  struct timespec delay = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&delay, NULL);
  return ((sync_call)dlsym(RTLD_NEXT, name))(fd);
}

int fdatasync(int fd) { return sync_as("fdatasync", fd); }

int fsync(int fd) { return sync_as("fsync", fd); }
