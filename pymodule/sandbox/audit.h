/* The audit hook: what a script of a check tries to do to the world, seen in C, where it cannot be
 * undone.
 * Invariant: the policy is written once, by guard(); the notes live in memory that forked children
 * share.
 * Owner: this process for good: a hook of PySys_AddAuditHook has no end before the interpreter's.
 * Source: PEP 578; the audit events table of CPython's documentation. */
#ifndef SFSB_AUDIT_H
#define SFSB_AUDIT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

typedef enum SfsbKind {
    SFSB_WRITE,
    SFSB_DELETE,
    SFSB_NET,
    SFSB_PROCESS,
    SFSB_SIGNAL,
    SFSB_DEVICE /* ORDER: kind_names of audit_notes.c */
} SfsbKind;

typedef struct SfsbGuard {
    bool installed;
    bool refuse;     /* raise, not only note */
    bool allow_net;  /* network events are not looked at */
    bool allow_exec; /* other programs may start: another layer confines them */
    pid_t root;      /* the process that installed the hook */
    char **allowed;  /* canonical folders below which writing is free */
    size_t nallowed;
} SfsbGuard;

/* audit_path.c */
/* What a path of an audit event means for the world outside. */
typedef enum SfsbPlace {
    SFSB_PLACE_FREE,   /* writing there is allowed, or reaches nobody else */
    SFSB_PLACE_ABSENT, /* the call will fail by itself */
    SFSB_PLACE_DEVICE, /* a device, a named pipe, a socket */
    SFSB_PLACE_OUTSIDE
} SfsbPlace;

typedef struct SfsbPath {
    char text[PATH_MAX]; /* as given, or a name of the descriptor */
    int dir_fd;          /* what a relative `text` is relative to; -1: the working folder */
    bool follow;         /* a symbolic link at the end is followed */
    bool creates;        /* the last component need not exist */
} SfsbPath;

SfsbPlace sfsb_place(const SfsbGuard *guard, const SfsbPath *path);
/* Is `pid` this process, or one that the check started? */
bool sfsb_is_own_process(const SfsbGuard *guard, pid_t pid);

/* audit_notes.c */
/* Makes the shared memory; false with a Python error. */
bool sfsb_notes_init(void);
/* Counts one event at the innermost line that is the user's. Never fails: a note lost is only a
 * note. */
void sfsb_notes_add(SfsbKind kind, const char *what, bool blocked);
PyObject *sfsb_notes_list(void);
/* -1: no kind is called so. */
int sfsb_kind_named(const char *name);

/* audit.c: methods of shapeflow._sandbox */
PyObject *sfsb_guard(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *sfsb_policy(PyObject *module, PyObject *noargs);
PyObject *sfsb_events(PyObject *module, PyObject *noargs);
PyObject *sfsb_count_event(PyObject *module, PyObject *args);

#endif
