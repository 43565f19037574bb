/* What the audit hook saw: a short table that forked children write into as well.
 * Invariant: one row for each (kind, file, line, blocked); `what` is the first of its events.
 * Owner: an anonymous shared mapping, kept as long as the process. Source: mmap(2), PEP 578. */
#include "pymodule/sandbox/audit.h"

#include <frameobject.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_NOTES  100
#define MAX_TEXT   512
#define MAX_FRAMES 256
/* a child that is killed while it holds the lock must not hang the others */
#define MAX_SPINS 2000

typedef struct Note {
    SfsbKind kind;
    int line;
    bool blocked;
    uint64_t count;
    char file[MAX_TEXT];
    char what[MAX_TEXT];
} Note;

typedef struct Notes {
    atomic_flag lock;
    int size;
    Note rows[MAX_NOTES];
} Notes;

static Notes *notes;
static char *library[2]; /* of the standard library, of our package: not the user's code */

static const char *const kind_names[] = {"write", "delete", "net", "process", "signal", "device"};
_Static_assert(sizeof kind_names / sizeof *kind_names == SFSB_DEVICE + 1, "a name for each kind");

int sfsb_kind_named(const char *name)
{
    for (int kind = SFSB_WRITE; kind <= SFSB_DEVICE; kind++) {
        if (strcmp(name, kind_names[kind]) == 0) {
            return kind;
        }
    }
    return -1;
}

/* The folder of the file of a module, as a C string of ours; NULL without an error if it has
 * none. */
static char *folder_of(const char *module)
{
    PyObject *object = PyImport_ImportModule(module);
    PyObject *file = object ? PyObject_GetAttrString(object, "__file__") : NULL;
    const char *text = file && PyUnicode_Check(file) ? PyUnicode_AsUTF8(file) : NULL;
    const char *slash = text ? strrchr(text, '/') : NULL;
    char *copy = slash ? PyMem_RawCalloc(1, (size_t)(slash - text) + 2) : NULL;
    if (copy) {
        memcpy(copy, text, (size_t)(slash - text) + 1);
    }
    PyErr_Clear();
    Py_XDECREF(file);
    Py_XDECREF(object);
    return copy;
}

bool sfsb_notes_init(void)
{
    if (notes) {
        return true;
    }
    void *memory =
        mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        PyErr_SetFromErrno(PyExc_OSError);
        return false;
    }
    notes = memory;
    library[0] = folder_of("os");
    library[1] = folder_of("shapeflow");
    return true;
}

static bool is_users(const char *file)
{
    if (strncmp(file, "<frozen ", 8) == 0 || strstr(file, "/site-packages/") ||
        strstr(file, "/dist-packages/")) {
        return false;
    }
    for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
        if (library[i] && strncmp(file, library[i], strlen(library[i])) == 0) {
            return false;
        }
    }
    return true;
}

/* The innermost line of the user's; "" and 0 when there is none. */
static void locate(char file[MAX_TEXT], int *line)
{
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    file[0] = '\0';
    *line = 0;
    for (int i = 0; frame && i < MAX_FRAMES; i++) {
        PyCodeObject *code = PyFrame_GetCode(frame);
        const char *name = PyUnicode_AsUTF8(code->co_filename);
        if (!name) {
            PyErr_Clear();
        } else if (is_users(name)) {
            (void)snprintf(file, MAX_TEXT, "%s", name);
            *line = PyFrame_GetLineNumber(frame);
            Py_DECREF(code);
            break;
        }
        Py_DECREF(code);
        PyFrameObject *back = PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = back;
    }
    Py_XDECREF(frame);
}

static bool lock(void)
{
    for (int i = 0; i < MAX_SPINS; i++) {
        if (!atomic_flag_test_and_set_explicit(&notes->lock, memory_order_acquire)) {
            return true;
        }
        (void)sched_yield();
    }
    return false;
}

void sfsb_notes_add(SfsbKind kind, const char *what, bool blocked)
{
    char file[MAX_TEXT];
    int line;
    if (!notes) {
        return;
    }
    locate(file, &line);
    if (!lock()) {
        return;
    }
    Note *found = NULL;
    for (int i = 0; i < notes->size && !found; i++) {
        Note *note = &notes->rows[i];
        if (note->kind == kind && note->line == line && note->blocked == blocked &&
            strcmp(note->file, file) == 0) {
            found = note;
        }
    }
    if (!found && notes->size < MAX_NOTES) {
        found = &notes->rows[notes->size];
        *found = (Note){.kind = kind, .line = line, .blocked = blocked};
        memcpy(found->file, file, sizeof found->file);
        (void)snprintf(found->what, sizeof found->what, "%s", what);
        notes->size++;
    }
    if (found) {
        found->count++;
    }
    atomic_flag_clear_explicit(&notes->lock, memory_order_release);
}

PyObject *sfsb_notes_list(void)
{
    PyObject *list = PyList_New(0);
    const int size = notes ? notes->size : 0;
    for (int i = 0; list && i < size; i++) {
        const Note *note = &notes->rows[i];
        /* A text may be cut in the middle of a character, and is decoded all the same. */
        PyObject *row =
            Py_BuildValue("(sNNiNK)", kind_names[note->kind], PyUnicode_DecodeFSDefault(note->what),
                          PyUnicode_DecodeFSDefault(note->file), note->line,
                          PyBool_FromLong(note->blocked), (unsigned long long)note->count);
        if (!row || PyList_Append(list, row) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(row);
    }
    return list;
}
