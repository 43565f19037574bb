/* C1 and I while the script runs: they hand signals on, watch the limits, and clean up at the end.
 * What P reads: "limit memory BYTES", "limit processes N", then "exit N" or "signal N" of the script,
 * then the end of the pipe, which means that none of its processes is left. */
#include "pymodule/sandbox/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    POLL_MS = 20,
    KILL_ROUNDS = 500, /* of processes that fork while they are killed */
    KILL_AT_ONCE = 4096,
};

static void waited_signals(sigset_t *set)
{
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGINT);
    (void)sigaddset(set, SIGTERM);
    (void)sigaddset(set, SIGCHLD);
}

void sfsb_block_signals(SfsbRun *run)
{
    sigset_t set;
    waited_signals(&set);
    (void)sigprocmask(SIG_BLOCK, &set, &run->mask);
}

/* The next of our signals, 0 when `ms` passed without one. Signals stay blocked: no handlers. */
static int next_signal(long ms)
{
    sigset_t set;
    waited_signals(&set);
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
#ifdef __linux__
    int got = sigtimedwait(&set, NULL, &time);
    return got < 0 ? 0 : got;
#else
    sigset_t waiting;
    int got = 0;
    (void)nanosleep(&time, NULL);
    if (sigpending(&waiting) == 0 &&
        (sigismember(&waiting, SIGINT) || sigismember(&waiting, SIGTERM) ||
         sigismember(&waiting, SIGCHLD)))
        (void)sigwait(&set, &got);
    return got;
#endif
}

/* The child whose end is waited for. */
typedef struct Child {
    pid_t pid;
    bool ended;
    int status; /* as of waitpid(), when it has ended */
} Child;

/* Reaps what has ended, strangers too. True when the child is gone. */
static bool reap(Child *child)
{
    for (;;) {
        int how = 0;
        pid_t pid = waitpid(-1, &how, WNOHANG);
        if (pid <= 0 && !(pid < 0 && errno == EINTR))
            return child->ended;
        if (pid == child->pid) {
            child->ended = true;
            child->status = how;
        }
    }
}

static void tell(const SfsbRun *run, const char *what, unsigned long long number)
{
    char line[64];
    int length = snprintf(line, sizeof line, "%s %llu\n", what, number);
    (void)!write(run->status_fd, line, (size_t)length);
}

static void tell_end(const SfsbRun *run, int status)
{
    if (WIFSIGNALED(status))
        tell(run, "signal", (unsigned long long)WTERMSIG(status));
    else
        tell(run, "exit", (unsigned long long)WEXITSTATUS(status));
}

/* True for pid 1 of its own namespace, which takes everything with it when it ends. Anywhere else,
 * kill(-1) by root would take the machine along: the number decides, not what was asked for. */
static bool owns_namespace(const SfsbRun *run)
{
    return run->layer == SFSB_NAMESPACES && getpid() == 1;
}

static void kill_all(const SfsbRun *run, Child *script)
{
    if (owns_namespace(run)) {
        (void)kill(-1, SIGKILL); /* atomic: a fork waits for it and sees its own end */
        return;
    }
    /* Only a process group dies as one; what has left the script's may fork between our looks. The
     * first look only stops, so that few can; root may also go first. */
    SfsbPids found = {0};
    (void)setpriority(PRIO_PROCESS, 0, -20);
    if (!script->ended)
        (void)kill(-script->pid, SIGKILL);
    for (int round = 0; round < KILL_ROUNDS; round++) {
        (void)reap(script);
        if (sfsb_descendants(&found, KILL_AT_ONCE) < 0 || found.count == 0)
            break;
        for (size_t i = 0; i < found.count; i++)
            (void)kill(found.pids[i], round == 0 ? SIGSTOP : SIGKILL);
        if (round > 1) /* they need a moment to end */
            (void)nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    free(found.pids);
}

/* Kills all and says so when there is too much of something. */
static bool over_limit(const SfsbRun *run, SfsbPids *pids)
{
    const SfsbPolicy *policy = run->policy;
    uint64_t usage;
    size_t enough = policy->max_processes > 0 ? (size_t)policy->max_processes : KILL_AT_ONCE;
    if ((owns_namespace(run) ? sfsb_others(pids) : sfsb_descendants(pids, enough)) < 0)
        return false;
    if (policy->max_processes > 0 && pids->count > enough) {
        tell(run, "limit processes", pids->count);
        return true;
    }
    if (policy->max_memory == 0 || sfsb_memory(run, pids, false) <= policy->max_memory)
        return false;
    usage = sfsb_memory(run, pids, true); /* pages that forks share were counted for each */
    if (usage <= policy->max_memory)
        return false;
    tell(run, "limit memory", usage);
    return true;
}

/* Descriptors that only S needs: P's own pipes must end when P closes them. */
static void let_go(const SfsbRun *run)
{
    int keep[2] = {run->status_fd, run->usage_fd};
    if (keep[1] >= 0 && keep[1] < keep[0]) {
        keep[0] = run->usage_fd;
        keep[1] = run->status_fd;
    }
    sfsb_close_others(keep, keep[1] < 0 ? 1 : 2);
    for (int fd = 0; fd < 3; fd++)
        if (fd != run->status_fd && fd != run->usage_fd)
            (void)close(fd);
}

void sfsb_supervise(const SfsbRun *run, pid_t script)
{
    let_go(run);
    Child child = {.pid = script};
    SfsbPids pids = {0};
    bool killed = false;
    while (!reap(&child)) {
        int got = next_signal(POLL_MS);
        if (got == SIGINT)
            (void)kill(script, got);
        else if (got == SIGTERM) /* P's wish: the script might not listen */
            kill_all(run, &child);
        else if (!killed && (killed = over_limit(run, &pids)))
            kill_all(run, &child);
    }
    free(pids.pids);
    kill_all(run, &child);
    tell_end(run, child.status);
    _exit(0);
}

void sfsb_forward(const SfsbRun *run, pid_t pid)
{
    let_go(run);
    Child child = {.pid = pid};
    while (!reap(&child)) {
        int got = next_signal(1000);
        if (got == SIGINT || got == SIGTERM)
            (void)kill(pid, got);
    }
    if (!WIFEXITED(child.status) ||
        WEXITSTATUS(child.status) != 0) /* it could not tell by itself */
        tell_end(run, child.status);
    _exit(0);
}
