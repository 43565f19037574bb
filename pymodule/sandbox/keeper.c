/* A program of its own that stands in for an interpreter which only waits: C1, I and, of the command, P.
 * It is libc and a few pages, where a fork of Python holds megabytes that S has long changed.
 *   supervise LAYER SCRIPT STATUS USAGE GATE OUTSIDE MEMORY PROCESSES SCRATCH_SIZE SCRATCH
 *   forward CHILD STATUS
 *   attend PID CHANNEL STATUS FROM TO FROM TO BEGAN LIMIT OUTPUT SIGNALS LAYER REPORT SCRATCH CACHE PROGRAM ARG...
 * Numbers without a name of a unit are descriptors, -1 for none.
 * P's end is one of two. A script with nothing to report says so in its last message, which is checked
 * and done here: a status, a line for standard error, an entry of the cache. All else needs Python:
 * PROGRAM is run with what has come (supervise.resumed). */
#include "pymodule/sandbox/attend.h"
#include "pymodule/sandbox/conclude.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#include <sys/prctl.h>
#endif

static long long number(const char *text)
{
    return strtoll(text, NULL, 10);
}

static _Noreturn void supervise(char **args)
{
    SfsbPolicy policy = {.max_memory = strtoull(args[6], NULL, 10),
                         .max_processes = (long)number(args[7]),
                         .scratch_size = strtoull(args[8], NULL, 10),
                         .scratch = args[9][0] == '\0' ? NULL : args[9]};
    SfsbRun run = {.policy = &policy,
                   .layer = (SfsbLayer)number(args[0]),
                   .ready_fd = -1,
                   .status_fd = (int)number(args[2]),
                   .usage_fd = (int)number(args[3]),
                   .keeper_fd = -1,
                   .gate_fd = -1,
                   .outside = (pid_t)number(args[5])};
    int gate = (int)number(args[4]);
#ifdef __linux__
    if (run.layer == SFSB_NAMESPACES) /* as before this program was run, which undid it */
        (void)prctl(PR_SET_DUMPABLE, 0);
#endif
    sfsb_open_gate(gate);
    sfsb_supervise(&run, (pid_t)number(args[1]));
}

static _Noreturn void forward(char **args)
{
    SfsbRun run = {
        .status_fd = (int)number(args[1]), .usage_fd = -1, .keeper_fd = -1, .gate_fd = -1};
    sfsb_forward(&run, (pid_t)number(args[0]));
}

/* A descriptor to read these from, from their beginning; -1. */
static int file_of(const SfsbText *const *texts, int count)
{
#ifdef __linux__
    int fd = memfd_create("shapeflow", 0);
#else
    FILE *unnamed = tmpfile();
    int fd = unnamed == NULL ? -1 : dup(fileno(unnamed));
#endif
    for (int i = 0; i < count && fd >= 0; i++)
        if (sfsb_write_all(fd, texts[i]->text, texts[i]->length) < 0) {
            (void)close(fd);
            return -1;
        }
    if (fd >= 0)
        (void)lseek(fd, 0, SEEK_SET);
    return fd;
}

static int attend(char **args)
{
    enum { LAYER = 11, REPORT, SCRATCH, CACHE, PROGRAM };
    SfsbAttend self = {.pid = (pid_t)number(args[0]),
                       .channel = (int)number(args[1]),
                       .status = (int)number(args[2]),
                       .began = number(args[7]),
                       .limit = number(args[8]),
                       .max_output = strtoull(args[9], NULL, 10)};
    for (int i = 0; i < SFSB_OUTPUTS; i++) {
        self.outputs[i].from = (int)number(args[3 + 2 * i]);
        self.outputs[i].to = (int)number(args[4 + 2 * i]);
    }
    sfsb_signals_of((unsigned)number(args[10]), &self.signals);
    SfsbAttended kept;
    sfsb_attend(&self, &kept);
    int64_t took = sfsb_now() - self.began;

    bool is_clean = args[SCRATCH][0] == '\0' || rmdir(args[SCRATCH]) == 0;
    int status = 0;
    SfsbConclusion wanted = {.report_fd = (int)number(args[REPORT]), .cache = args[CACHE]};
    if (kept.reason == SFSB_BY_ITSELF && is_clean && sfsb_conclude(&kept, &wanted, &status)) {
        sfsb_attend_end(&self);
        return status;
    }
    const SfsbText *texts[] = {&kept.status, &kept.said};
    int fd = file_of(texts, 2);
    char told[PATH_MAX + 160];
    (void)snprintf(told, sizeof told, "%d %zu %d %lld %s %s", fd, kept.status.length,
                   (int)kept.reason, (long long)took, args[LAYER], is_clean ? "" : args[SCRATCH]);
    if (fd < 0 || setenv("SHAPEFLOW_KEPT", told, 1) < 0)
        return 3;
    sfsb_attend_end(&self);
    sfsb_attend_unblock(&self.signals);
    (void)execv(args[PROGRAM], &args[PROGRAM]);
    (void)fprintf(stderr, "shapeflow: %s: %s\n", args[PROGRAM], strerror(errno));
    return 3;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
#ifdef __linux__
    (void)prctl(PR_SET_NAME, "shapeflow"); /* not the number of a descriptor */
#endif
    if (argc == 12 && strcmp(mode, "supervise") == 0)
        supervise(argv + 2);
    if (argc == 4 && strcmp(mode, "forward") == 0)
        forward(argv + 2);
    if (argc > 17 && strcmp(mode, "attend") == 0)
        return attend(argv + 2);
    (void)fputs("shapeflow: this program is run by shapeflow check; it has no use of its own\n",
                stderr);
    return 2;
}
