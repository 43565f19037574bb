/* How much the script has written: the tmpfs of its own, or the scratch folder on the user's disk,
 * where RLIMIT_FSIZE bounds single files only. */
#include "pymodule/sandbox/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { DEEPEST = 64 }; /* folders; each is an open descriptor while it is looked at */

/* Adds the files of a folder, whose descriptor it closes, until there are more bytes than
 * `most`. */
static void add_folder(int fd, int depth, uint64_t most, uint64_t *sum)
{
    DIR *folder = fdopendir(fd);
    if (!folder) {
        (void)close(fd);
        return;
    }
    for (struct dirent *entry; *sum <= most && (entry = readdir(folder));) {
        struct stat looks;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            fstatat(dirfd(folder), entry->d_name, &looks, AT_SYMLINK_NOFOLLOW) < 0)
            continue;
        *sum += (uint64_t)looks.st_blocks * 512;
        if (!S_ISDIR(looks.st_mode) || depth == DEEPEST)
            continue;
        int below =
            openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below >= 0)
            add_folder(below, depth + 1, most, sum);
    }
    (void)closedir(folder);
}

bool sfsb_is_full(const SfsbRun *run, uint64_t *bytes)
{
    enum { NEARLY = 64 << 10 }; /* what a write of a few bytes may leave unused of a tmpfs */
    uint64_t most = run->policy->scratch_size;
    struct statvfs use;
    *bytes = 0;
    if (most == 0)
        return false;
    if (run->usage_fd >= 0) {
        if (fstatvfs(run->usage_fd, &use) < 0)
            return false;
        *bytes = (uint64_t)(use.f_blocks - use.f_bfree) * use.f_frsize;
        return *bytes + NEARLY > most;
    }
    int fd =
        !run->policy->scratch ? -1 : open(run->policy->scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        add_folder(fd, 0, most, bytes);
    return *bytes > most;
}
