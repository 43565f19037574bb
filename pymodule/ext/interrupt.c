/* Ctrl-C in the middle of long work of the core.
 * Invariant: Python's handlers run at the end of the work only, for they may call into the graph
 * that is being worked on; a handler of the script's own decides for itself, and the work goes
 * on. */
#include "pymodule/ext/ext.h"

#include <signal.h>

#include "core/base/interrupt.h"

/* Does the handler of SIGINT do nothing but end what runs? Python's own, and that of a check. */
static bool handler_ends_work(void)
{
    PyObject *m = PyImport_ImportModule("_signal");
    PyObject *now = !m ? NULL : PyObject_CallMethod(m, "getsignal", "i", SIGINT);
    PyObject *usual = !now ? NULL : PyObject_GetAttrString(m, "default_int_handler");
    const bool ends = usual && (now == usual || PyObject_HasAttrString(now, "_sf_ends_work"));
    Py_XDECREF(usual);
    Py_XDECREF(now);
    Py_XDECREF(m);
    PyErr_Clear();
    return ends;
}

static bool is_interrupted(void)
{
    enum { QUIET = 4096 };
    /* checks to skip: the handler in place was asked, and lets the work go on */
    static unsigned quiet;
    if (quiet > 0) {
        quiet--;
        return false;
    }
    if (PyErr_Occurred() || !PyOS_InterruptOccurred()) {
        return false;
    }
    PyErr_SetInterrupt(); /* asking has taken the signal back: it is set again for Python */
    if (handler_ends_work()) {
        return true;
    }
    quiet = QUIET;
    return false;
}

void sfpy_interrupt_init(void)
{
    sf_interrupt_set_check(is_interrupted);
}
