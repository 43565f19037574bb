/* Where in the user's program an op was made: interned chains of (code object, instruction).
 * Invariant: location ids are dense, 0 is "nowhere", a location's parent has a smaller id; line and
 * column numbers are looked up only when somebody reads a chain.
 * Owner: the table keeps each code object alive (so that its address names it) with the module.
 * Source: PEP 657; traceback.py. */
#include "core/base/index.h"
#include "lattice/hash.h"
#include "pymodule/ext/ext.h"

#include <frameobject.h>

#define MAX_FRAMES    16  /* user frames kept of a chain, innermost first */
#define MAX_WALK      512 /* frames looked at */
#define VERDICT_SLOTS 1024

typedef struct Location {
    PyObject *code; /* borrowed from the code table */
    int lasti;      /* byte offset of the instruction */
    uint32_t parent;
} Location;

typedef struct Code {
    PyObject *code;
    bool user;
} Code;

typedef struct Frame {
    PyObject *code; /* borrowed from the code table */
    int lasti;
    bool is_user;
    uint32_t location; /* of the chain from this frame outwards */
} Frame;

struct SfpyLocations {
    Location *locations;
    uint32_t count, cap;
    SfIndex index; /* of the locations */
    Code *codes;
    uint32_t ncodes, codes_cap;
    SfIndex code_index;
    Code verdicts[VERDICT_SLOTS]; /* direct-mapped copy of `codes`: the common hit */
    char **prefixes;
    int nprefixes;
    /* The frames of the newest walk, innermost first: most of the next are the same. */
    Frame last[MAX_WALK];
    int nlast;
};

static uint32_t mix(uint64_t word)
{
    return sf_hash_fold(sf_hash_mix(0, word));
}

int sfpy_locations_init(SfpyState *st)
{
    SfpyLocations *s = PyMem_Calloc(1, sizeof *s);
    if (!s) {
        PyErr_NoMemory();
        return -1;
    }
    st->locations = s;
    s->cap = s->codes_cap = 1024;
    s->locations = PyMem_Calloc(s->cap, sizeof *s->locations);
    s->codes = PyMem_Calloc(s->codes_cap, sizeof *s->codes);
    if (!s->locations || !s->codes) {
        PyErr_NoMemory();
        return -1;
    }
    s->count = 1;
    return 0;
}

void sfpy_locations_free(SfpyState *st)
{
    SfpyLocations *s = st->locations;
    if (!s) {
        return;
    }
    st->locations = NULL;
    for (uint32_t i = 0; i < s->ncodes; i++) {
        Py_DECREF(s->codes[i].code);
    }
    for (int i = 0; i < s->nprefixes; i++) {
        PyMem_Free(s->prefixes[i]);
    }
    PyMem_Free(s->prefixes);
    PyMem_Free(s->locations);
    sf_index_free(&s->index);
    PyMem_Free(s->codes);
    sf_index_free(&s->code_index);
    PyMem_Free(s);
}

int sfpy_locations_traverse(SfpyState *st, visitproc visit, void *arg)
{
    SfpyLocations *s = st->locations;
    for (uint32_t i = 0; s && i < s->ncodes; i++) {
        Py_VISIT(s->codes[i].code);
    }
    return 0;
}

/* whose code */
static bool is_user_file(const SfpyLocations *s, PyObject *code)
{
    PyObject *file = ((PyCodeObject *)code)->co_filename;
    const char *name = PyUnicode_AsUTF8(file);
    if (!name) {
        PyErr_Clear();
        return false;
    }
    if (strncmp(name, "<frozen ", 8) == 0) {
        return false;
    }
    for (int i = 0; i < s->nprefixes; i++) {
        if (strncmp(name, s->prefixes[i], strlen(s->prefixes[i])) == 0) {
            return false;
        }
    }
    return true;
}

static Code *find_code(const SfpyLocations *s, PyObject *code, uint32_t hash)
{
    uint32_t at = hash;
    for (int32_t id; (id = sf_index_next(&s->code_index, hash, &at)) >= 0;) {
        if (s->codes[id].code == code) {
            return &s->codes[id];
        }
    }
    return NULL;
}

/* Twice the capacity of an array; false: no memory, and it stays as it was. */
static bool grow(void **array, uint32_t *cap, size_t size)
{
    void *grown = PyMem_Realloc(*array, size * *cap * 2);
    if (!grown) {
        return false;
    }
    *array = grown;
    *cap *= 2;
    return true;
}

/* Is `code` the user's? Takes a reference to a code object seen for the first time. */
static bool is_user_code(SfpyLocations *s, PyObject *code)
{
    const uint32_t hash = mix((uintptr_t)code >> 4);
    Code *hit = &s->verdicts[hash & (VERDICT_SLOTS - 1)];
    if (hit->code == code) {
        return hit->user;
    }
    Code *known = find_code(s, code, hash);
    if (!known) {
        if ((s->ncodes == s->codes_cap &&
             !grow((void **)&s->codes, &s->codes_cap, sizeof *s->codes)) ||
            !sf_index_add(&s->code_index, hash, (int32_t)s->ncodes)) {
            return false; /* an op without a line is better than no op */
        }
        known = &s->codes[s->ncodes];
        *known = (Code){Py_NewRef(code), is_user_file(s, code)};
        s->ncodes++;
    }
    *hit = *known;
    return hit->user;
}

PyObject *sfpy_register_library_path(PyObject *module, PyObject *prefix)
{
    SfpyLocations *s = sfpy_state(module)->locations;
    const char *text = sfpy_utf8(prefix, "prefix");
    if (!text) {
        return NULL;
    }
    for (int i = 0; i < s->nprefixes; i++) {
        if (strcmp(s->prefixes[i], text) == 0) {
            Py_RETURN_NONE; /* a process may check many scripts */
        }
    }
    const size_t size = strlen(text) + 1;
    char **grown = PyMem_Realloc(s->prefixes, sizeof *grown * (size_t)(s->nprefixes + 1));
    if (!grown) {
        return PyErr_NoMemory();
    }
    s->prefixes = grown;
    char *copy = PyMem_Malloc(size);
    if (!copy) {
        return PyErr_NoMemory();
    }
    memcpy(copy, text, size);
    s->prefixes[s->nprefixes++] = copy;
    for (uint32_t i = 0; i < s->ncodes; i++) {
        s->codes[i].user = is_user_file(s, s->codes[i].code);
    }
    memset(s->verdicts, 0, sizeof s->verdicts);
    s->nlast = 0;
    Py_RETURN_NONE;
}

/* locations */
static uint32_t location_hash(PyObject *code, int lasti, uint32_t parent)
{
    return mix(((uintptr_t)code >> 4) ^ ((uint64_t)parent << 32) ^
               ((uint64_t)(unsigned)lasti << 8));
}

static uint32_t intern(SfpyLocations *s, PyObject *code, int lasti, uint32_t parent)
{
    const uint32_t hash = location_hash(code, lasti, parent);
    uint32_t at = hash;
    for (int32_t id; (id = sf_index_next(&s->index, hash, &at)) >= 0;) {
        const Location *location = &s->locations[id];
        if (location->code == code && location->lasti == lasti && location->parent == parent) {
            return (uint32_t)id;
        }
    }
    if ((s->count == s->cap && !grow((void **)&s->locations, &s->cap, sizeof *s->locations)) ||
        !sf_index_add(&s->index, hash, (int32_t)s->count)) {
        return parent;
    }
    s->locations[s->count] = (Location){code, lasti, parent};
    return s->count++;
}

static int frame_lasti(PyFrameObject *f)
{
#if PY_VERSION_HEX >= 0x030b0000
    return PyFrame_GetLasti(f);
#elif PY_VERSION_HEX >= 0x030a0000
    return f->f_lasti * 2; /* 3.10 counts instructions of two bytes */
#else
    return f->f_lasti;
#endif
}

/* How many of the `n` frames, the innermost ones, lie inside of all that are the same. */
static int count_changed(const Frame *a, const Frame *b, int n)
{
    while (n > 0 && a[n - 1].code == b[n - 1].code && a[n - 1].lasti == b[n - 1].lasti) {
        n--;
    }
    return n;
}

uint32_t sfpy_location(SfpyState *st)
{
    SfpyLocations *s = st->locations;
    Frame frames[MAX_WALK];
    int n = 0, users = 0;
    PyFrameObject *f = PyThreadState_GetFrame(PyThreadState_Get());
    while (f && users < MAX_FRAMES && n < MAX_WALK) {
        PyObject *code = (PyObject *)PyFrame_GetCode(f);
        Frame *frame = &frames[n++];
        frame->code = code;
        frame->is_user = is_user_code(s, code); /* the table keeps it alive */
        frame->lasti = frame_lasti(f);
        users += frame->is_user;
        Py_DECREF(code);
        PyFrameObject *back = PyFrame_GetBack(f); /* may run anything: it makes an object */
        Py_DECREF(f);
        f = back;
    }
    Py_XDECREF(f);
    int changed = n == s->nlast ? count_changed(s->last, frames, n) : n;
    uint32_t location = changed < n ? s->last[changed].location : 0;
    while (changed > 0) {
        Frame *frame = &frames[--changed];
        location = frame->is_user ? intern(s, frame->code, frame->lasti, location) : location;
        frame->location = location;
        s->last[changed] = *frame;
    }
    s->nlast = n;
    return location;
}

static PyObject *frame_tuple(const Location *location)
{
    PyCodeObject *code = (PyCodeObject *)location->code;
    int line, col = -1, end_line, end_col = -1;
#if PY_VERSION_HEX >= 0x030b0000
    if (!PyCode_Addr2Location(code, location->lasti, &line, &col, &end_line, &end_col)) {
        return NULL;
    }
#else
    line = PyCode_Addr2Line(code, location->lasti);
    end_line = line;
#endif
    return Py_BuildValue("(OiiiiO)", code->co_filename, line, col, end_line, end_col,
                         code->co_name);
}

PyObject *sfpy_location_frames(SfpyState *st, uint32_t location)
{
    const SfpyLocations *s = st->locations;
    PyObject *list = PyList_New(0);
    while (list && location != 0 && location < s->count) {
        const uint32_t parent = s->locations[location].parent;
        sfpy_list_add(&list, frame_tuple(&s->locations[location]));
        location = parent;
    }
    return list;
}

PyObject *sfpy_user_frames(PyObject *module, PyObject *Py_UNUSED(unused))
{
    SfpyState *st = sfpy_state(module);
    return sfpy_location_frames(st, sfpy_location(st));
}

uint32_t sfpy_location_to_record(SfpyState *st)
{
    const SfpyContext *cx = sfpy_context(st);
    if (!cx) {
        PyErr_Clear();
    }
    return cx && cx->located != 0 ? cx->located : sfpy_location(st);
}

/* here(): a number for where the user's program is now. */
PyObject *sfpy_here(PyObject *module, PyObject *Py_UNUSED(unused))
{
    return PyLong_FromUnsignedLong(sfpy_location(sfpy_state(module)));
}

/* set_located(here): what is made from now on was made there, 0: where it is; gives the one
 * before. */
PyObject *sfpy_set_located(PyObject *module, PyObject *location)
{
    SfpyState *st = sfpy_state(module);
    SfpyContext *cx = sfpy_context(st);
    const unsigned long id = PyLong_AsUnsignedLong(location);
    if (!cx || (id == (unsigned long)-1 && PyErr_Occurred())) {
        return NULL;
    }
    const uint32_t before = cx->located;
    cx->located = id < st->locations->count ? (uint32_t)id : 0;
    return PyLong_FromUnsignedLong(before);
}
