/* The namespaces layer: C1 makes I, the first process of new namespaces, says who its users are,
 * and from then on only hands signals on. I builds the tree of mounts and makes S. */
#ifdef __linux__
#include "pymodule/sandbox/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int write_file(pid_t pid, const char *name, const char *text)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t wrote = write(fd, text, strlen(text));
    int error = errno;
    (void)close(fd);
    errno = error;
    return wrote < 0 ? -1 : 0;
}

/* The users that the namespace knows. Root's knows all of them, so that it reads others' files
 * as outside; an ordinary user's knows only that user. */
static int map_users(pid_t pid)
{
    static const char everyone[] = "0 0 4294967295";
    char only[64];
    if (geteuid() == 0 && write_file(pid, "uid_map", everyone) == 0)
        return write_file(pid, "gid_map", everyone);
    (void)snprintf(only, sizeof only, "%lu %lu 1", (unsigned long)geteuid(),
                   (unsigned long)geteuid());
    if (write_file(pid, "uid_map", only) < 0)
        return -1;
    if (write_file(pid, "setgroups", "deny") < 0 && errno != ENOENT)
        return -1;
    (void)snprintf(only, sizeof only, "%lu %lu 1", (unsigned long)getegid(),
                   (unsigned long)getegid());
    return write_file(pid, "gid_map", only);
}

/* Runs in I and returns in S only. */
static void start_inside(SfsbRun *run, int go)
{
    char word = 0;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (read(go, &word, 1) != 1) /* C1 is gone, or could not map the users */
        _exit(125);
    (void)close(go);
    sfsb_mount_all(run);
    (void)prctl(PR_SET_DUMPABLE, 0); /* out of the script's reach, though it is of the same user */
    sfsb_supervise(run);
    (void)prctl(PR_SET_DUMPABLE, 1);
}

void sfsb_start_namespaces(SfsbRun *run)
{
    int go[2];
    if (sfsb_pipe(go) < 0)
        sfsb_fail(run, "pipe");
    unsigned long flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
                          CLONE_NEWCGROUP | SIGCHLD;
    if (!run->policy->allow_net)
        flags |= CLONE_NEWNET;
    pid_t inside = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, 0UL);
    if (inside < 0)
        sfsb_fail(run, "clone of new namespaces");
    if (inside == 0) {
        (void)close(go[1]);
        start_inside(run, go[0]);
        return;
    }
    (void)close(go[0]);
    if (map_users(inside) < 0)
        sfsb_fail(run, "mapping users"); /* so that I sees the end of its pipe */
    if (write(go[1], "g", 1) != 1)
        sfsb_fail(run, "write");
    (void)close(go[1]);
    sfsb_forward(run, inside);
}
#endif
