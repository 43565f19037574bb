/* What a script, or a program that it started, removed of the user's: the kernel leaves a node 0:0
 * in the upper folder of an overlay for each.
 * Invariant: bounded, as a script may make folders without end; a name is one line of plain text.
 * Owner: I, at its end. Source: the kernel's overlayfs.rst, "whiteouts and opaque directories". */
#ifdef __linux__
#include "pymodule/sandbox/mounts.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DEEPEST = 64, MOST_SEEN = 50000, MOST_TOLD = 20 };

typedef struct Search {
    const SfsbRun *run;
    int seen, told;
    char path[PATH_MAX]; /* of the user's */
} Search;

static bool is_plain(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return false;
    return true;
}

static void tell(Search *search)
{
    char line[PATH_MAX + 16];
    if (!is_plain(search->path))
        return;
    int length = snprintf(line, sizeof line, "removed %s\n", search->path);
    (void)!write(search->run->status_fd, line, (size_t)length);
    search->told++;
}

/* Closes the descriptor. */
static void look_into(Search *search, int fd, int depth)
{
    DIR *folder = fdopendir(fd);
    if (!folder) {
        (void)close(fd);
        return;
    }
    const size_t length = strlen(search->path);
    const size_t room = sizeof search->path - length;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat looks;
        if (++search->seen > MOST_SEEN || search->told == MOST_TOLD)
            break;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            fstatat(dirfd(folder), entry->d_name, &looks, AT_SYMLINK_NOFOLLOW) < 0 ||
            (size_t)snprintf(search->path + length, room, "/%s", entry->d_name) >= room)
            continue;
        if (S_ISCHR(looks.st_mode) && looks.st_rdev == 0) {
            tell(search);
        } else if (S_ISDIR(looks.st_mode) && depth < DEEPEST) {
            int below = openat(dirfd(folder), entry->d_name,
                               O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (below >= 0)
                look_into(search, below, depth + 1);
        }
    }
    search->path[length] = '\0';
    (void)closedir(folder);
}

void sfsb_tell_removed(const SfsbRun *run)
{
    Search search = {.run = run};
    for (unsigned number = 0; run->usage_fd >= 0; number++) {
        char name[64];
        (void)snprintf(name, sizeof name, SFSB_PATH_OF, number);
        ssize_t length = readlinkat(run->usage_fd, name + 1, search.path, sizeof search.path - 1);
        if (length < 0)
            return;
        search.path[length == 1 ? 0 : length] =
            '\0'; /* of the root, names begin with their slash */
        (void)snprintf(name, sizeof name, SFSB_FILES "/%u", number);
        int fd = openat(run->usage_fd, name + 1, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0)
            look_into(&search, fd, 0);
    }
}
#endif
