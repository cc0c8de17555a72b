/* A disk that takes a millisecond longer to keep what was written: preloaded into the service, as LD_PRELOAD. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int slowly(const char *name, int file) {
    static const struct timespec millisecond = {0, 1000000};
    int (*keep)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    nanosleep(&millisecond, NULL);
    return keep(file);
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
