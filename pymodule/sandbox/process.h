/* The processes of a check and what holds them: P (outside, reports; supervise.py) - C1 (hands
 * signals on) - I (watches limits; pid 1 of its own namespaces where there are any) - S (runs the
 * script). No Python here: C1 and I are forks that never return to it, so they share the pages of
 * P.
 * Invariant: whatever fails while a layer is set up ends that layer's processes and is told to P,
 * which tries the next layer; nothing here aborts or raises.
 * Owner: P's SfsbPolicy is made before the first fork and read-only afterwards.
 * Source: namespaces(7), seccomp(2), landlock(7); bubblewrap's order of steps. */
#ifndef SFSB_PROCESS_H
#define SFSB_PROCESS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum SfsbLayer {
    SFSB_NAMESPACES, /* the kernel overlays and isolates */
    SFSB_LANDLOCK,   /* the kernel refuses, Python redirects */
    SFSB_AUDIT,      /* Python's audit hook refuses, Python redirects */
    SFSB_NONE,       /* limits only */
    SFSB_LAYERS
} SfsbLayer;

extern const char *const sfsb_layer_names[SFSB_LAYERS];

typedef struct SfsbPolicy {
    SfsbLayer layers[SFSB_LAYERS]; /* in the order to try */
    int layer_count;
    char **allow_write; /* absolute paths; these three end with NULL */
    char **deny_read;
    char **own_level;
    char *scratch; /* NULL or an existing folder */
    int *keep_fds; /* ascending */
    int keep_count;
    bool allow_net;
    uint64_t max_memory;   /* bytes, 0: no limit */
    uint64_t scratch_size; /* bytes, 0: no limit */
    long max_processes;    /* 0: no limit */
} SfsbPolicy;

/* What one attempt at a layer carries through its forks. */
typedef struct SfsbRun {
    const SfsbPolicy *policy;
    SfsbLayer layer;
    int ready_fd;  /* notes, then "ready" or "fail ..."; closed by S when it is ready */
    int status_fd; /* limits and the exit of S; held by C1 and I only */
    int usage_fd;  /* a folder on the tmpfs that holds what is written, or -1 */
    pid_t outside; /* the parent that must live on: P, then C1 */
    int nice;      /* P's, which S gets back */
    sigset_t mask; /* P's signal mask, which S gets back */
} SfsbRun;

/* Growing text; when memory runs out it stays as it is. */
typedef struct SfsbText {
    char *text; /* NULL or a string, from malloc */
    size_t length;
} SfsbText;

void sfsb_text_add(SfsbText *to, const char *from, size_t length);

/* setup.c: what a process tells P while a layer is made */
/* One line of words that end up in spawn()'s notes. */
void sfsb_note(const SfsbRun *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* This layer can't be had: says so, with errno's words unless errno is 0, and ends this process. */
_Noreturn void sfsb_fail(const SfsbRun *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int sfsb_pipe(int ends[2]); /* both ends close on exec; 0 or -1 */
int64_t sfsb_now(void);     /* ms of the monotonic clock */
/* Closes all descriptors above 2 but those of keep (ascending). */
void sfsb_close_others(const int *keep, int count);

/* spawn.c */
typedef struct SfsbSpawned {
    pid_t pid;     /* of C1; 0 in S */
    int status_fd; /* -1 in S */
    SfsbLayer layer;
    SfsbText notes; /* the caller's to free; empty in S */
} SfsbSpawned;

/* Returns in P and in S: 0, or -1 with errno in P when no layer could be had. */
int sfsb_spawn(const SfsbPolicy *policy, SfsbSpawned *out);

/* supervise.c: C1 or I while S runs */
/* Blocks the signals that C1 and I wait for; what was blocked before is left in run->mask. */
void sfsb_block_signals(SfsbRun *run);
/* Makes S and returns in it only. The caller becomes I: it watches S until that ends, kills what it
 * left, tells P and ends. */
void sfsb_supervise(const SfsbRun *run);
/* Only forwards signals until `child` ends, then ends this process. */
_Noreturn void sfsb_forward(const SfsbRun *run, pid_t child);

/* usage.c: what the processes below this one use */
/* Threads that no script needs: a wall behind max_processes, which is watched only; 0: none. */
static inline unsigned long sfsb_most_threads(const SfsbPolicy *policy)
{
    unsigned long most = (unsigned long)policy->max_processes * 16;
    return most == 0 || most > 4096 ? most : 4096;
}

typedef struct SfsbPids {
    pid_t *pids; /* from malloc */
    size_t count, room;
} SfsbPids;

/* The processes below this one, children before their own children; the look ends when there are
 * more than enough. -1 when memory ran out. */
int sfsb_descendants(SfsbPids *out, size_t enough);
/* All other processes of this pid namespace, of which this process is number 1. */
int sfsb_others(SfsbPids *out);
/* Bytes of memory of these processes, at least: pages that they share count for each of them. */
uint64_t sfsb_memory_bound(const SfsbPids *pids);

/* The exact sum, a process at a time: a fork bomb must not hide behind the look at its memory. */
typedef struct SfsbScan {
    SfsbPids pids; /* its own */
    size_t next;
    uint64_t own, shared; /* bytes so far */
} SfsbScan;

/* Begins with these processes, of which the scan makes a copy. */
void sfsb_scan_begin(const SfsbRun *run, SfsbScan *scan, const SfsbPids *pids);
/* Adds one process; false when all are done and *total is known. */
bool sfsb_scan_step(SfsbScan *scan, uint64_t *total);

/* scratch.c */
/* Has the script written as much as it may? *bytes is what it wrote. */
bool sfsb_is_full(const SfsbRun *run, uint64_t *bytes);

/* probe.c */
/* Lines "name 1 words" or "name 0 words": what works here. The caller frees the text; -1: no
 * fork. */
int sfsb_probe(SfsbText *out);

/* namespaces.c */
/* Runs in C1 and returns in S only, inside of new namespaces. */
void sfsb_start_namespaces(SfsbRun *run);

/* landlock.c */
/* What the kernel has of Landlock: 1, 2...; -1 with errno for nothing. */
int sfsb_landlock_version(void);
/* Restricts this process by Landlock and returns its version. Ends the process by sfsb_fail. */
int sfsb_landlock(const SfsbRun *run);

/* seccomp.c */
/* The filter of system calls for this process, which helps out a Landlock of that version; -1. */
int sfsb_seccomp(const SfsbRun *run, int landlock);

/* confine.c: S's own steps */
/* Runs in S, last before it returns to Python. Ends the process by sfsb_fail. */
void sfsb_confine(SfsbRun *run);

#endif
