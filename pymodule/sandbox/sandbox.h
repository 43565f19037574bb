/* The Python side of the sandbox: what the files of shapeflow._sandbox that know Python share.
 * Invariant: no Python object is touched between spawn()'s fork and its return in P or in S.
 * Owner: module.c owns the method table; audit.c owns its events.
 * Source: PEP 578 (audit hooks). */
#ifndef SFSB_SANDBOX_H
#define SFSB_SANDBOX_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "pymodule/sandbox/audit.h"
#include "pymodule/sandbox/process.h"

/* policy.c */
/* Fills `out` from spawn()'s dict: 0, or -1 with a Python error. sfsb_policy_free() in both
 * cases. */
int sfsb_policy_parse(PyObject *dict, SfsbPolicy *out);
void sfsb_policy_free(SfsbPolicy *policy);

#endif
