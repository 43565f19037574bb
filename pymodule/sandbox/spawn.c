/* P's part: tries one layer after the other, until the script's process says that it is ready. */
#include "pymodule/sandbox/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Runs in C1 and returns in S only. Like pid 1 of a namespace, a process stands between C1 and
 * S: when C1 or P is killed, it ends all the others. */
static void start_plain(SfsbRun *run)
{
    run->outside = getpid();
    pid_t inside = fork();
    if (inside < 0)
        sfsb_fail(run, "fork");
    if (inside > 0)
        sfsb_forward(run, inside);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGCHLD); /* wakes the supervisor, who looks for its parent */
    /* Orphans of S become children of this process, so that they are found and killed at the
     * end. */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
        sfsb_fail(run, "prctl(PR_SET_CHILD_SUBREAPER)");
#endif
    sfsb_supervise(run);
}

static void start_namespaces(SfsbRun *run)
{
#ifdef __linux__
    sfsb_start_namespaces(run);
#else
    errno = ENOSYS;
    sfsb_fail(run, "this system has none");
#endif
}

/* Runs in C1 and returns in S only. */
static void start(SfsbRun *run)
{
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != run->outside)
        _exit(125); /* P died before the line above */
#endif
    /* A terminal sends Ctrl-C to P's group only; P passes it on once. */
    (void)setpgid(0, 0);
    sfsb_block_signals(run);
    /* Only root may raise it: the supervisor must get its turn beside a fork bomb. */
    run->nice = getpriority(PRIO_PROCESS, 0);
    if (geteuid() == 0)
        (void)setpriority(PRIO_PROCESS, 0, run->nice - 10);
    if (run->layer == SFSB_NAMESPACES)
        start_namespaces(run);
    else
        start_plain(run);
    sfsb_confine(run);
}

/* Reads what the new processes say until they are ready or gone. True when S is ready. */
static bool read_ready(int fd, const char *layer, SfsbText *notes)
{
    SfsbText said = {0};
    char part[1024];
    for (;;) {
        ssize_t got = read(fd, part, sizeof part);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        sfsb_text_add(&said, part, (size_t)got);
    }
    bool ready = false, failed = false;
    char *rest = NULL;
    for (char *line = !said.text ? NULL : strtok_r(said.text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        ready = ready || strcmp(line, "ready") == 0;
        bool fails = strncmp(line, "fail ", 5) == 0;
        if (!fails && strncmp(line, "note ", 5) != 0)
            continue;
        failed = failed || fails;
        sfsb_text_add(notes, layer, strlen(layer));
        sfsb_text_add(notes, ": ", 2);
        sfsb_text_add(notes, line + 5, strlen(line + 5));
        sfsb_text_add(notes, "\n", 1);
    }
    free(said.text);
    if (!ready && !failed) {
        static const char words[] = ": ended while it was set up\n";
        sfsb_text_add(notes, layer, strlen(layer));
        sfsb_text_add(notes, words, sizeof words - 1);
    }
    return ready;
}

/* One attempt: 1 in P when S runs, 0 in P when this layer can't be had, 2 in S, -1: no fork. */
static int attempt(const SfsbPolicy *policy, SfsbLayer layer, pid_t outside, SfsbSpawned *out)
{
    int ready[2], status[2];
    if (sfsb_pipe(ready) < 0)
        return -1;
    if (sfsb_pipe(status) < 0) {
        (void)close(ready[0]);
        (void)close(ready[1]);
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        (void)close(ready[0]);
        (void)close(status[0]);
        SfsbRun run = {.policy = policy,
                       .layer = layer,
                       .ready_fd = ready[1],
                       .status_fd = status[1],
                       .usage_fd = -1,
                       .outside = outside};
        start(&run);
        return 2;
    }
    int error = errno;
    (void)close(ready[1]);
    (void)close(status[1]);
    bool works = child > 0 && read_ready(ready[0], sfsb_layer_names[layer], &out->notes);
    (void)close(ready[0]);
    if (works) {
        out->pid = child;
        out->status_fd = status[0];
        return 1;
    }
    (void)close(status[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    errno = error;
    return child > 0 ? 0 : -1;
}

int sfsb_spawn(const SfsbPolicy *policy, SfsbSpawned *out)
{
    *out = (SfsbSpawned){.status_fd = -1};
    pid_t outside = getpid();
    int got = 0, error = ENOSYS;
    for (int i = 0; got == 0 && i < policy->layer_count; i++) {
        out->layer = policy->layers[i];
        got = attempt(policy, out->layer, outside, out);
        error = got < 0 ? errno : error;
    }
    if (got == 2) {
        free(out->notes.text); /* P's to tell */
        *out = (SfsbSpawned){.status_fd = -1, .layer = out->layer};
        return 0; /* S has closed what is P's */
    }
    errno = error;
    return got == 1 ? 0 : -1;
}
