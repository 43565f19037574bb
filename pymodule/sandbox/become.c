/* How C1 and I become the program of keeper.c: its command line is what they would go on with. */
#include "pymodule/sandbox/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Closes all but `count` descriptors, of which some may be -1: P's own pipes must end when P closes them. */
static void let_go(int *keep, int count)
{
    qsort(keep, (size_t)count, sizeof *keep, compare);
    sfsb_close_others(keep, count);
    for (int fd = 0; fd < 3; fd++) {
        bool kept = false;
        for (int i = 0; i < count; i++)
            kept = kept || keep[i] == fd;
        if (!kept)
            (void)close(fd);
    }
}

/* Returns when it can't be done; -1 is no descriptor. */
static void become(int keeper_fd, char *const *argv, const int *inherited, int count)
{
#ifdef __linux__
    if (keeper_fd < 0)
        return;
    for (int i = 0; i < count; i++)
        if (inherited[i] >= 0)
            (void)fcntl(inherited[i], F_SETFD, 0);
    (void)fexecve(keeper_fd, argv, environ); /* by descriptor: a layer's mounts may hide its path */
#else
    (void)keeper_fd;
    (void)argv;
    (void)inherited;
    (void)count;
#endif
}

void sfsb_become_supervisor(const SfsbRun *run, pid_t script)
{
    int keep[] = {run->status_fd, run->usage_fd, run->gate_fd, run->keeper_fd};
    let_go(keep, 4);
    char numbers[9][24];
    (void)snprintf(numbers[0], 24, "%d", (int)run->layer);
    (void)snprintf(numbers[1], 24, "%ld", (long)script);
    (void)snprintf(numbers[2], 24, "%d", run->status_fd);
    (void)snprintf(numbers[3], 24, "%d", run->usage_fd);
    (void)snprintf(numbers[4], 24, "%d", run->gate_fd);
    (void)snprintf(numbers[5], 24, "%ld", (long)run->outside);
    (void)snprintf(numbers[6], 24, "%llu", (unsigned long long)run->policy->max_memory);
    (void)snprintf(numbers[7], 24, "%ld", run->policy->max_processes);
    (void)snprintf(numbers[8], 24, "%llu", (unsigned long long)run->policy->scratch_size);
    char nothing[] = "", name[] = "shapeflow", mode[] = "supervise";
    char *argv[] = {
        name,       mode,       numbers[0],
        numbers[1], numbers[2], numbers[3],
        numbers[4], numbers[5], numbers[6],
        numbers[7], numbers[8], run->policy->scratch == NULL ? nothing : run->policy->scratch,
        NULL};
    int inherited[] = {run->status_fd, run->usage_fd, run->gate_fd};
    become(run->keeper_fd, argv, inherited, 3);
    sfsb_open_gate(run->gate_fd);
}

void sfsb_become_forwarder(const SfsbRun *run, pid_t child)
{
    int keep[] = {run->status_fd, run->keeper_fd};
    let_go(keep, 2);
    char numbers[2][24], name[] = "shapeflow", mode[] = "forward";
    (void)snprintf(numbers[0], 24, "%ld", (long)child);
    (void)snprintf(numbers[1], 24, "%d", run->status_fd);
    char *argv[] = {name, mode, numbers[0], numbers[1], NULL};
    become(run->keeper_fd, argv, &run->status_fd, 1);
}

void sfsb_open_gate(int gate_fd)
{
    if (gate_fd < 0)
        return;
    (void)!write(gate_fd, "g", 1);
    (void)close(gate_fd);
}

void sfsb_pass_gate(const SfsbRun *run, const int gate[2])
{
    char word = 0;
    (void)close(gate[1]);
    ssize_t got = read(gate[0], &word, 1);
    (void)close(gate[0]);
    errno = 0;
    if (got != 1)
        sfsb_fail(run, "its supervisor has gone");
}
