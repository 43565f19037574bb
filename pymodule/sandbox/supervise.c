/* C1 and I while the script runs: they hand signals on, watch the limits, and clean up at the end.
 * What P reads: "limit memory BYTES", "limit processes N", "limit scratch BYTES", "removed PATH" of
 * what the script's processes removed or renamed, then "exit N" or "signal N" of the script when
 * none of its processes is left. The end of the pipe comes when C1 and I have ended too. */
#include "pymodule/sandbox/process.h"
#ifdef __linux__
#include "pymodule/sandbox/mounts.h"
#endif

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
    FULL_MS = 100,
    SCAN_MS = 5,    /* of a look, for exact sums */
    SCAN_REST = 10, /* times its duration between two */
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

/* Reaps ended children, adopted ones too; with options 0 it waits for all of them. True when the
 * child is gone. */
static bool reap_all(Child *child, int options)
{
    for (;;) {
        int how = 0;
        pid_t pid = waitpid(-1, &how, options);
        if (pid <= 0 && !(pid < 0 && errno == EINTR))
            return child->ended;
        if (pid == child->pid) {
            child->ended = true;
            child->status = how;
        }
    }
}

static bool reap(Child *child)
{
    return reap_all(child, WNOHANG);
}

static void report(const SfsbRun *run, const char *what, unsigned long long number)
{
    char line[64];
    int length = snprintf(line, sizeof line, "%s %llu\n", what, number);
    (void)!write(run->status_fd, line, (size_t)length);
}

static void report_end(const SfsbRun *run, int status)
{
    if (WIFSIGNALED(status))
        report(run, "signal", (unsigned long long)WTERMSIG(status));
    else
        report(run, "exit", (unsigned long long)WEXITSTATUS(status));
}

/* Kills everything below. Pid 1 of a namespace takes all of it along when it ends. Anywhere else
 * kill(-1) by root would end the machine, so the process number decides, not what was asked for. */
static bool owns_namespace(const SfsbRun *run)
{
    return run->layer == SFSB_NAMESPACES && getpid() == 1;
}

static void kill_all(const SfsbRun *run, Child *script)
{
    if (owns_namespace(run)) {
        (void)kill(-1, SIGKILL);   /* atomic: a fork waits for it and sees its own end */
        (void)reap_all(script, 0); /* orphans are ours, too */
        return;
    }
    /* Only a process group is killed at once; processes that left the script's group may fork
     * between two looks. The first look therefore stops them before any is killed. */
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

/* Has C1 ended, and P perhaps? Then the first process of the namespace ends too. */
static bool is_left(const SfsbRun *run)
{
    return !owns_namespace(run) && getppid() != run->outside;
}

/* What is known of the script's processes between two looks. */
typedef struct Watch {
    SfsbPids pids;
    SfsbScan scan;
    bool is_scanning;
    int64_t scan_began, next_scan, next_full; /* ms */
} Watch;

/* Is too much memory used? While the quick sum is above the limit, the exact sum continues for a
 * few ms at each look. When it stays below, it pauses: the pages are shared by many, or of a
 * large file. */
static bool over_memory(const SfsbRun *run, Watch *watch)
{
    uint64_t most = run->policy->max_memory, total = 0;
    int64_t now = sfsb_now();
    if (!watch->is_scanning) {
        if (now < watch->next_scan || sfsb_memory_bound(&watch->pids) <= most)
            return false;
        watch->is_scanning = true;
        watch->scan_began = now;
        sfsb_scan_begin(run, &watch->scan, &watch->pids);
    }
    while ((watch->is_scanning = sfsb_scan_step(&watch->scan, &total)) && watch->scan.own <= most)
        if (sfsb_now() - now > SCAN_MS)
            return false;
    total = total > watch->scan.own ? total : watch->scan.own;
    watch->next_scan = sfsb_now() + (sfsb_now() - watch->scan_began) * SCAN_REST;
    watch->is_scanning = false;
    if (total > most)
        report(run, "limit memory", total);
    return total > most;
}

/* Is there too much on the scratch folder or tmpfs? A large folder is looked at less often. */
static bool over_scratch(const SfsbRun *run, Watch *watch)
{
    int64_t now = sfsb_now();
    uint64_t bytes = 0;
    if (now < watch->next_full)
        return false;
    bool is_full = sfsb_is_full(run, &bytes);
    watch->next_full = now + FULL_MS + (sfsb_now() - now) * SCAN_REST;
    if (is_full)
        report(run, "limit scratch", bytes);
    return is_full;
}

/* True, and reported to P, when a limit is exceeded. */
static bool over_limit(const SfsbRun *run, Watch *watch)
{
    const SfsbPolicy *policy = run->policy;
    size_t enough = policy->max_processes > 0 ? (size_t)policy->max_processes : KILL_AT_ONCE;
    SfsbPids *pids = &watch->pids;
    if ((owns_namespace(run) ? sfsb_others(pids) : sfsb_descendants(pids, enough)) < 0)
        return false;
    if (policy->max_processes > 0 && pids->count > enough) {
        report(run, "limit processes", pids->count);
        return true;
    }
    return (policy->max_memory > 0 && over_memory(run, watch)) || over_scratch(run, watch);
}

/* Closes all descriptors but these, ascending; -1 is none: P's own pipes must end when P closes
 * them. */
static void keep_open(int first, int second)
{
    const int keep[] = {first, second};
    sfsb_close_others(keep, 2);
    for (int fd = 0; fd < 3; fd++)
        if (fd != first && fd != second)
            (void)close(fd);
}

void sfsb_supervise(const SfsbRun *run)
{
    Watch watch = {.next_scan = 0};
    (void)sfsb_memory_bound(&watch.pids); /* what is shared now is not the script's */
    pid_t script = fork();
    if (script < 0)
        sfsb_fail(run, "fork");
    if (script == 0)
        return;
    int low = run->status_fd < run->usage_fd ? run->status_fd : run->usage_fd;
    keep_open(low, run->status_fd + run->usage_fd - low);
    Child child = {.pid = script};
    bool killed = false;
    while (!reap(&child)) {
        int got = next_signal(watch.is_scanning ? 1 : POLL_MS);
        if (got == SIGINT)
            (void)kill(script, got);
        else if (got == SIGTERM) /* P asked for the end; the script could ignore a signal */
            kill_all(run, &child);
        else if (!killed && (killed = is_left(run) || over_limit(run, &watch)))
            kill_all(run, &child);
    }
    free(watch.pids.pids);
    free(watch.scan.pids.pids);
    kill_all(run, &child);
#ifdef __linux__
    if (owns_namespace(run))
        sfsb_tell_removed(run);
#endif
    report_end(run, child.status);
    _exit(0);
}

void sfsb_forward(const SfsbRun *run, pid_t pid)
{
    keep_open(-1, run->status_fd);
    Child child = {.pid = pid};
    while (!reap(&child)) {
        int got = next_signal(1000);
        if (got == SIGINT || got == SIGTERM)
            (void)kill(pid, got);
    }
    if (!WIFEXITED(child.status) ||
        WEXITSTATUS(child.status) != 0) /* P could not learn it by itself */
        report_end(run, child.status);
    _exit(0);
}
