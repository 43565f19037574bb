/* What the kernel gives here, found out by trying it in a child that ends with what it made. */
#include "pymodule/sandbox/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* A line for P: the fact's name, 1 or 0, words. */
static void say(int fd, const char *name, bool works, const char *words)
{
    char line[256];
    int length = snprintf(line, sizeof line - 1, "%s %d %s", name, works, words);
    if (length > (int)sizeof line - 2)
        length = (int)sizeof line - 2;
    line[length] = '\n';
    (void)!write(fd, line, (size_t)length + 1);
}

static bool say_status(int fd, const char *name, int status)
{
    say(fd, name, status >= 0, status >= 0 ? "works" : strerror(errno));
    return status >= 0;
}

static int write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t wrote = write(fd, text, strlen(text));
    (void)close(fd);
    return wrote < 0 ? -1 : 0;
}

static int map_self(unsigned uid, unsigned gid)
{
    char map[64];
    (void)snprintf(map, sizeof map, "%u %u 1", uid, uid);
    if (write_text("/proc/self/uid_map", map) < 0)
        return -1;
    (void)write_text("/proc/self/setgroups", "deny");
    (void)snprintf(map, sizeof map, "%u %u 1", gid, gid);
    return write_text("/proc/self/gid_map", map);
}

/* Runs in a child: mounts are made in a namespace that nobody else has. */
static void try_namespaces(int fd)
{
    static const char options[] = "lowerdir=/etc,upperdir=/tmp/upper,workdir=/tmp/work,userxattr";
    unsigned uid = geteuid(), gid = getegid();
    if (!say_status(fd, "user_namespace", unshare(CLONE_NEWUSER) < 0 ? -1 : map_self(uid, gid)))
        return;
    (void)say_status(fd, "net_namespace", unshare(CLONE_NEWNET));
    if (unshare(CLONE_NEWNS | CLONE_NEWPID) < 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("shapeflow", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m") < 0 ||
        mkdir("/tmp/upper", 0755) < 0 || mkdir("/tmp/work", 0755) < 0 ||
        mkdir("/tmp/at", 0755) < 0) {
        (void)say_status(fd, "overlay", -1);
        return;
    }
    (void)say_status(fd, "overlay", mount("overlay", "/tmp/at", "overlay", 0, options));
    pid_t child = fork(); /* the first process of the new pid namespace */
    if (child == 0) {
        (void)say_status(
            fd, "mount_proc",
            mount("proc", "/tmp/upper", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL));
        _exit(0);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static void try_filters(int fd)
{
    char words[64];
    int version = sfsb_landlock_version();
    if (version > 0)
        (void)snprintf(words, sizeof words, "ABI %d", version);
    say(fd, "landlock", version > 0, version > 0 ? words : strerror(errno));
    unsigned action = SECCOMP_RET_ERRNO;
    (void)say_status(fd, "seccomp",
                     (int)syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
}

/* Could this process make a control group below its own? "memory" of version 1, or 2's one tree. */
static void try_group(int fd, const char *fact, const char *controller)
{
    FILE *list = fopen("/proc/self/cgroup", "re");
    char line[1024], path[1200] = "", both[1200] = "";
    while (list && fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':');
        char *own = !names ? NULL : strchr(names + 1, ':');
        if (!own)
            continue;
        *own++ = '\0';
        if (strcmp(names + 1, controller) == 0)
            (void)snprintf(path, sizeof path, "/sys/fs/cgroup/%s%s", controller, own);
        else if (names[1] == '\0')
            (void)snprintf(both, sizeof both, "/sys/fs/cgroup%s", own);
    }
    if (list)
        (void)fclose(list);
    const char *at = path[0] != '\0' ? path : both;
    bool is_ours = at[0] != '\0' && access(at, W_OK) == 0;
    say(fd, fact, is_ours,
        is_ours ? "could be made; limits are watched from outside" : "not ours to make");
}

static void try_all(int fd)
{
    try_filters(fd);
    try_group(fd, "cgroup_memory", "memory");
    try_group(fd, "cgroup_pids", "pids");
    try_namespaces(fd);
}
#else
static void try_all(int fd)
{
    (void)fd;
}
#endif

int sfsb_probe(SfsbText *out)
{
    int ends[2];
    *out = (SfsbText){0};
    if (sfsb_pipe(ends) < 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        try_all(ends[1]);
        _exit(0);
    }
    int error = errno;
    (void)close(ends[1]);
    char part[1024];
    for (;;) {
        ssize_t got = child < 0 ? 0 : read(ends[0], part, sizeof part);
        if (got > 0)
            sfsb_text_add(out, part, (size_t)got);
        else if (got == 0 || errno != EINTR)
            break;
    }
    (void)close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    errno = error;
    return child < 0 ? -1 : 0;
}
