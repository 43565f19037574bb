/* Where a path of an audit event leads, and whose a process is.
 * Invariant: the answer is about canonical paths; what cannot be resolved cannot be written either.
 * Owner: nothing is kept. Source: realpath(3), proc(5). */
#include "pymodule/sandbox/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_LINKS 40 /* as the kernel */

static bool is_below(const char *path, const char *folder)
{
    const size_t size = strlen(folder);
    return strncmp(path, folder, size) == 0 &&
           (path[size] == '\0' || path[size] == '/' || (size == 1 && folder[0] == '/'));
}

static bool is_allowed(const SfsbGuard *guard, const char *path)
{
    for (size_t i = 0; i < guard->nallowed; i++) {
        if (is_below(path, guard->allowed[i])) {
            return true;
        }
    }
    return false;
}

/* `path` with what it is relative to in front. */
static bool absolute(const SfsbPath *path, char out[PATH_MAX])
{
    int size;
    if (path->text[0] == '/' || path->dir_fd < 0) {
        size = snprintf(out, PATH_MAX, "%s", path->text);
    } else {
#ifdef F_GETPATH
        char folder[PATH_MAX];
        if (fcntl(path->dir_fd, F_GETPATH, folder) != 0) {
            return false;
        }
        size = snprintf(out, PATH_MAX, "%s/%s", folder, path->text);
#else
        size = snprintf(out, PATH_MAX, "/proc/self/fd/%d/%s", path->dir_fd, path->text);
#endif
    }
    return size >= 0 && size < PATH_MAX;
}

/* Splits off the last component. False for what has none that could be a link: "", "/", "a/..". */
static bool split(const char *path, char parent[PATH_MAX], char name[NAME_MAX + 1])
{
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/') {
        end--;
    }
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    const size_t size = end - start;
    if (size == 0 || size > NAME_MAX) {
        return false;
    }
    memcpy(name, path + start, size);
    name[size] = '\0';
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        return false;
    }
    if (start == 0) {
        (void)snprintf(parent, PATH_MAX, ".");
    } else {
        memcpy(parent, path, start);
        parent[start] = '\0';
    }
    return true;
}

static bool join(const char *folder, const char *name, char out[PATH_MAX])
{
    const char *slash = strcmp(folder, "/") == 0 ? "" : "/";
    const int size = snprintf(out, PATH_MAX, "%s%s%s", folder, slash, name);
    return size >= 0 && size < PATH_MAX;
}

/* The canonical name of the last component itself, link or not. */
static bool canonical_entry(const char *path, char out[PATH_MAX])
{
    char parent[PATH_MAX], real[PATH_MAX], name[NAME_MAX + 1];
    if (!split(path, parent, name)) {
        return realpath(path, out);
    }
    return realpath(parent, real) && join(real, name, out);
}

/* The canonical name of what opening `path` would make: dangling links lead on. */
static bool canonical_target(const char *path, char out[PATH_MAX])
{
    char at[PATH_MAX];
    (void)snprintf(at, sizeof at, "%s", path);
    for (int links = 0; links < MAX_LINKS; links++) {
        if (realpath(at, out)) {
            return true;
        }
        if (errno != ENOENT || !canonical_entry(at, out)) {
            return false;
        }
        char target[PATH_MAX];
        const ssize_t size = readlink(out, target, sizeof target - 1);
        if (size < 0) {
            return true; /* nothing there yet */
        }
        target[size] = '\0';
        char parent[PATH_MAX], name[NAME_MAX + 1];
        if (target[0] == '/') {
            memcpy(at, target, (size_t)size + 1);
        } else if (!split(out, parent, name) || !join(parent, target, at)) {
            return false;
        }
    }
    return false;
}

/* Is it a terminal or pipe that is one of our standard streams? Printing there is allowed. */
static bool is_standard_stream(const struct stat *st)
{
    for (int fd = 0; fd <= 2; fd++) {
        struct stat std;
        if (fstat(fd, &std) == 0 && std.st_dev == st->st_dev && std.st_ino == st->st_ino) {
            return true;
        }
    }
    return false;
}

static bool is_harmless_device(const char *path)
{
    static const char *const names[] = {"/dev/null",    "/dev/zero", "/dev/full",    "/dev/random",
                                        "/dev/urandom", "/dev/ptmx", "/dev/pts/ptmx"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(path, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

SfsbPlace sfsb_place(const SfsbGuard *guard, const SfsbPath *path)
{
    char given[PATH_MAX], real[PATH_MAX];
    if (!absolute(path, given)) {
        return SFSB_PLACE_ABSENT;
    }
    struct stat st;
    const bool exists = (path->follow ? stat(given, &st) : lstat(given, &st)) == 0;
    if (!exists && !path->creates) {
        return SFSB_PLACE_ABSENT;
    }
    const bool known = path->follow ? canonical_target(given, real) : canonical_entry(given, real);
    if (known && is_allowed(guard, real)) {
        return SFSB_PLACE_FREE;
    }
    if (!exists) {
        return known ? SFSB_PLACE_OUTSIDE : SFSB_PLACE_ABSENT;
    }
    /* Through /proc/self/fd: a pipe, a socket, a memory file, a file without a name. */
    const bool nameless = !known || st.st_nlink == 0;
    if (nameless && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || st.st_nlink == 0)) {
        return SFSB_PLACE_FREE;
    }
    if (path->follow && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
        const bool free = (known && is_harmless_device(real)) || is_standard_stream(&st);
        return free ? SFSB_PLACE_FREE : SFSB_PLACE_DEVICE;
    }
    return SFSB_PLACE_OUTSIDE;
}

#ifdef __linux__
/* 0 when it is not known. */
static pid_t parent_of(pid_t pid)
{
    char name[64], text[512];
    (void)snprintf(name, sizeof name, "/proc/%ld/stat", (long)pid);
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    const ssize_t size = read(fd, text, sizeof text - 1);
    (void)close(fd);
    if (size <= 0) {
        return 0;
    }
    text[size] = '\0';
    const char *after = strrchr(text, ')'); /* the name may hold anything; then " S 123" */
    if (!after || strlen(after) < sizeof ") S 1" - 1) {
        return 0;
    }
    const long parent = strtol(after + 4, NULL, 10);
    return (pid_t)parent;
}
#endif

bool sfsb_is_own_process(const SfsbGuard *guard, pid_t pid)
{
    if (pid == getpid()) {
        return true;
    }
    if (pid <= 0) { /* 0: our group, which is ours alone when the check's process leads it */
        return pid == 0 && (getpgrp() == guard->root || getpgrp() == getpid());
    }
    siginfo_t info;
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
        return true; /* only a child can be waited for */
    }
#ifdef __linux__
    for (int i = 0; i < 64 && pid > 1; i++) {
        pid = parent_of(pid);
        if (pid == guard->root) {
            return true;
        }
    }
#endif
    return false;
}
