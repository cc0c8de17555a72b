/* A disk whose syncs fail as long as a file lies at FAILING_SYNC. Loaded into a process with LD_PRELOAD. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>

static int fails(void) {
    const char *path = getenv("FAILING_SYNC");
    return path && access(path, F_OK) == 0;
}

int fsync(int file) {
    if (fails()) { errno = EIO; return -1; }
    return syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    if (fails()) { errno = EIO; return -1; }
    return syscall(SYS_fdatasync, file);
}
