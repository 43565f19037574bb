/* Rows become signatures: parsing, binding to an op's ports, finding by dotted name. */
#include "apis/api_internal.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* the parser of Python signatures */
typedef struct Parser {
    const char *p;
    SfArena *arena;
    const char *error;
} Parser;

static bool fail(Parser *ps, const char *why)
{
    if (!ps->error) {
        ps->error = why;
    }
    return false;
}

static void skip_spaces(Parser *ps)
{
    while (*ps->p == ' ') {
        ps->p++;
    }
}

static bool accept(Parser *ps, char ch)
{
    skip_spaces(ps);
    if (*ps->p != ch) {
        return false;
    }
    ps->p++;
    return true;
}

static const char *parse_word(Parser *ps)
{
    skip_spaces(ps);
    const char *start = ps->p;
    while (isalnum((unsigned char)*ps->p) || *ps->p == '_' || *ps->p == '.') {
        ps->p++;
    }
    if (ps->p == start) {
        fail(ps, "a name was expected");
        return NULL;
    }
    const char *word = sf_arena_strndup(ps->arena, start, (size_t)(ps->p - start));
    if (!word) {
        fail(ps, "no memory");
    }
    return word;
}

static bool parse_default(Parser *ps, SfArg *out, int depth);

static bool parse_text(Parser *ps, SfArg *out)
{
    const char quote = *ps->p++;
    const char *start = ps->p;
    while (*ps->p != '\0' && *ps->p != quote) {
        ps->p++;
    }
    if (*ps->p != quote) {
        return fail(ps, "unterminated text");
    }
    const size_t len = (size_t)(ps->p - start);
    ps->p++;
    const char *copy = sf_arena_strndup(ps->arena, start, len);
    if (!copy) {
        return fail(ps, "no memory");
    }
    *out = (SfArg){.kind = SF_ARG_STRING, .u.s = {copy, len}};
    return true;
}

static bool parse_number(Parser *ps, SfArg *out)
{
    char *end_int = NULL, *end_float = NULL;
    const long long i = strtoll(ps->p, &end_int, 10);
    const double f = strtod(ps->p, &end_float);
    if (end_float == ps->p) {
        return fail(ps, "a default was expected");
    }
    if (end_float == end_int) {
        *out = (SfArg){.kind = SF_ARG_INT, .u.i = i};
    } else {
        *out = (SfArg){.kind = SF_ARG_FLOAT, .u.f = f};
    }
    ps->p = end_float;
    return true;
}

enum { DEFAULT_ITEMS_MAX = 16 };

static bool parse_items(Parser *ps, SfArg *out, char close, int depth)
{
    SfArg items[DEFAULT_ITEMS_MAX];
    int n = 0;
    while (!accept(ps, close)) {
        if (n > 0 && !accept(ps, ',')) {
            return fail(ps, "a comma was expected in a default list");
        }
        if (n > 0 && accept(ps, close)) { /* (1,) */
            break;
        }
        if (n == DEFAULT_ITEMS_MAX) {
            return fail(ps, "default list too long");
        }
        if (!parse_default(ps, &items[n], depth + 1)) {
            return false;
        }
        n++;
    }
    const SfArg *copy = sf_arena_copy(ps->arena, items, sizeof items[0] * (size_t)(n + 1));
    if (!copy) {
        return fail(ps, "no memory");
    }
    *out = (SfArg){.kind = SF_ARG_LIST, .is_tuple = close == ')', .u.list = {n, copy}};
    return true;
}

static bool parse_named(Parser *ps, SfArg *out)
{
    const char *word = parse_word(ps);
    if (!word) {
        return false;
    }
    if (strcmp(word, "None") == 0) {
        *out = (SfArg){.kind = SF_ARG_NONE};
        return true;
    }
    if (strcmp(word, "True") == 0 || strcmp(word, "False") == 0) {
        *out = (SfArg){.kind = SF_ARG_BOOL, .u.b = word[0] == 'T'};
        return true;
    }
    if (strncmp(word, "tf.", 3) == 0) {
        const SfDtype t = sf_dtype_parse(word + 3, strlen(word + 3));
        if (t != SF_DT_INVALID) {
            *out = (SfArg){.kind = SF_ARG_DTYPE, .u.dtype = t};
            return true;
        }
    }
    return fail(ps, "a default of no known kind");
}

static bool parse_default(Parser *ps, SfArg *out, int depth)
{
    skip_spaces(ps);
    const char ch = *ps->p;
    if (depth > 3) {
        return fail(ps, "defaults nested too deeply");
    }
    if (ch == '\'' || ch == '"') {
        return parse_text(ps, out);
    }
    if (ch == '[' || ch == '(') {
        ps->p++;
        return parse_items(ps, out, ch == '[' ? ']' : ')', depth);
    }
    if (isdigit((unsigned char)ch) || ch == '-' || ch == '.') {
        return parse_number(ps, out);
    }
    return parse_named(ps, out);
}

static bool parse_param(Parser *ps, SfApiParam *out, bool *keyword_only)
{
    *out = (SfApiParam){.kind = *keyword_only ? 1 : 0, .def = {.kind = SF_ARG_DEFAULT}};
    if (accept(ps, '*')) {
        out->kind = 2;
        *keyword_only = true;
        if (accept(ps, '*')) {
            out->kind = 3;
        } else {
            skip_spaces(ps);
            if (*ps->p == ',') { /* a bare star: no parameter of its own */
                return true;
            }
        }
    }
    out->name = parse_word(ps);
    if (!out->name) {
        return false;
    }
    if (accept(ps, '=')) {
        out->has_default = true;
        return parse_default(ps, &out->def, 0);
    }
    return true;
}

static bool parse_params(Parser *ps, SfApiParam *params, int *nparams)
{
    bool keyword_only = false;
    int n = 0;
    skip_spaces(ps);
    while (*ps->p != '\0') {
        if (n == SF_API_PARAMS_MAX) {
            return fail(ps, "too many parameters");
        }
        if (!parse_param(ps, &params[n], &keyword_only)) {
            return false;
        }
        n += params[n].name != NULL;
        if (!accept(ps, ',') && *ps->p != '\0') {
            return fail(ps, "a comma was expected between parameters");
        }
        skip_spaces(ps);
    }
    *nparams = n;
    return true;
}

/* binding to an op */
/* The target of a parameter: its entry in the row's renames, or its own name. */
static const char *target_of(const SfApiRow *row, const char *param, size_t *len)
{
    const size_t want = strlen(param);
    for (const char *p = row->rename; p && *p != '\0';) {
        const char *end = strchr(p, ' ');
        const size_t entry = end ? (size_t)(end - p) : strlen(p);
        const char *eq = memchr(p, '=', entry);
        if (eq && (size_t)(eq - p) == want && memcmp(p, param, want) == 0) {
            *len = entry - want - 1;
            return eq + 1;
        }
        p = end ? end + 1 : p + entry;
    }
    *len = want;
    return param;
}

static int bind_target(const SfOpSig *op, const char *target, size_t len)
{
    if (len == 0) {
        return SF_BIND_NONE;
    }
    for (int i = 0; i < op->nin; i++) {
        if (strlen(op->in[i].name) == len && memcmp(op->in[i].name, target, len) == 0) {
            return i;
        }
    }
    for (int j = 0; j < op->nattr; j++) {
        if (strlen(op->attrs[j].name) == len && memcmp(op->attrs[j].name, target, len) == 0) {
            return -2 - j;
        }
    }
    return INT_MAX;
}

/* Every parameter reaches a port, an attr, the name or (by rename) nothing; every input is reached.
 */
static bool bind_params(Parser *ps, SfApiSig *sig)
{
    const size_t n = (size_t)sig->nparams;
    const size_t nports = (size_t)sig->op->nin + (size_t)sig->op->nattr;
    int *bind = sf_arena_alloc(ps->arena, sizeof(int) * (n + 1));
    int *alias = sf_arena_alloc(ps->arena, sizeof(int) * (n + 1));
    int *ports = sf_arena_alloc(ps->arena, sizeof(int) * (nports + 1));
    if (!bind || !alias || !ports) {
        return fail(ps, "no memory");
    }
    for (size_t i = 0; i < nports; i++) {
        ports[i] = -1;
    }
    for (int i = 0; i < sig->nparams; i++) {
        size_t len = 0;
        const char *target = target_of(sig->row, sig->params[i].name, &len);
        alias[i] = -1;
        bind[i] = i == sig->name_param ? -1 : bind_target(sig->op, target, len);
        if (bind[i] == INT_MAX) {
            ps->error = sf_arena_printf(ps->arena, "%s is no input or attr of %s",
                                        sig->params[i].name, sig->op->def->name);
            return false;
        }
        if (bind[i] == SF_BIND_NONE || bind[i] == -1) {
            continue;
        }
        int *port = bind[i] >= 0 ? &ports[bind[i]] : &ports[sig->op->nin - 2 - bind[i]];
        if (*port >= 0) {
            alias[i] = *port;
            sig->naliases++;
        } else {
            *port = i;
        }
    }
    sig->bind = bind;
    sig->alias_of = alias;
    sig->input_param = ports;
    sig->attr_param = ports + sig->op->nin;
    for (int i = 0; i < sig->op->nin && !sig->row->call; i++) {
        if (ports[i] < 0) {
            return fail(ps, "an input of the op has no parameter");
        }
    }
    return true;
}

static bool has_single_ports(const SfApiSig *sig)
{
    bool single = sig->naliases == 0;
    for (int i = 0; single && i < sig->op->nin; i++) {
        single = sig->input_param[i] >= 0 && !sf_port_is_list(&sig->op->in[i]);
    }
    for (int i = 0; single && i < sig->op->nout; i++) {
        single = !sf_port_is_list(&sig->op->out[i]);
    }
    return single;
}

const SfApiSig *sf_api_sig_parse(const SfApiRow *row, SfArena *arena, const char **error)
{
    Parser ps = {.p = row->signature, .arena = arena};
    SfApiParam params[SF_API_PARAMS_MAX];
    SfApiSig *sig = sf_arena_alloc(arena, sizeof *sig);
    *error = "no memory";
    if (!sig) {
        return NULL;
    }
    sig->row = row;
    sig->name_param = -1;
    if (!parse_params(&ps, params, &sig->nparams)) {
        *error = ps.error;
        return NULL;
    }
    sig->params = sf_arena_copy(arena, params, sizeof params[0] * (size_t)(sig->nparams + 1));
    if (!sig->params) {
        return NULL;
    }
    for (int i = 0; i < sig->nparams; i++) {
        if (strcmp(sig->params[i].name, "name") == 0) {
            sig->name_param = i;
        }
    }
    if (!row->op && !row->call) {
        *error = "a row needs .op or .call";
        return NULL;
    }
    if (row->op) {
        sig->op = sf_op_find(row->op);
        if (!sig->op) {
            *error = sf_arena_printf(arena, "there is no op %s", row->op);
            return NULL;
        }
        if (!bind_params(&ps, sig)) {
            if (!row->call) {
                *error = ps.error;
                return NULL;
            }
            sig->naliases = 0; /* a .call on top of an op need not bind: it knows its parameters */
        } else {
            sig->single_ports = has_single_ports(sig);
        }
    }
    *error = NULL;
    return sig;
}

/* the registry: parsed signatures and the index of names */
typedef struct NameEntry {
    const char *name; /* into the row's names: ends at a space or NUL */
    size_t len;
    const SfApiRow *row;
} NameEntry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static SfArena registry_arena;
static const SfApiSig ***sigs; /* [table][row] */
static NameEntry *names;
static int nnames;

static int compare_names(const NameEntry *a, const char *name, size_t len)
{
    const int order = memcmp(a->name, name, a->len < len ? a->len : len);
    if (order != 0) {
        return order;
    }
    return a->len < len ? -1 : a->len > len;
}

static int compare_entries(const void *a, const void *b)
{
    const NameEntry *y = b;
    return compare_names(a, y->name, y->len);
}

/* Calls for each name of a row: counts when `out` is NULL. */
static int split_names(const SfApiRow *row, NameEntry *out)
{
    int n = 0;
    for (const char *p = row->names; *p != '\0';) {
        const char *end = strchr(p, ' ');
        const size_t len = end ? (size_t)(end - p) : strlen(p);
        if (out) {
            out[n] = (NameEntry){p, len, row};
        }
        n++;
        p += len + (end != NULL);
    }
    return n;
}

/* Locked. False when memory ran out. */
static bool build_registry(void)
{
    if (names) {
        return true;
    }
    const int ntables = sf_api_table_count();
    int total = 0;
    sigs = sf_arena_alloc(&registry_arena, sizeof *sigs * (size_t)ntables);
    if (!sigs) {
        return false;
    }
    for (int t = 0; t < ntables; t++) {
        const SfApiTable *table = sf_api_table_at(t);
        sigs[t] =
            sf_arena_alloc(&registry_arena, sizeof(const SfApiSig *) * (size_t)(table->count + 1));
        if (!sigs[t]) {
            return false;
        }
        for (int i = 0; i < table->count; i++) {
            total += split_names(&table->rows[i], NULL);
        }
    }
    NameEntry *entries = sf_arena_alloc(&registry_arena, sizeof *entries * (size_t)(total + 1));
    if (!entries) {
        return false;
    }
    nnames = 0;
    for (int t = 0; t < ntables; t++) {
        const SfApiTable *table = sf_api_table_at(t);
        for (int i = 0; i < table->count; i++) {
            nnames += split_names(&table->rows[i], entries + nnames);
        }
    }
    qsort(entries, (size_t)nnames, sizeof *entries, compare_entries);
    names = entries;
    return true;
}

static const SfApiSig *sig_locked(const SfApiRow *row)
{
    if (!build_registry()) {
        return NULL;
    }
    for (int t = 0; t < sf_api_table_count(); t++) {
        const SfApiTable *table = sf_api_table_at(t);
        if (row >= table->rows && row < table->rows + table->count) {
            const SfApiSig **slot = &sigs[t][row - table->rows];
            if (!*slot) {
                const char *error = NULL;
                *slot = sf_api_sig_parse(row, &registry_arena, &error);
            }
            return *slot;
        }
    }
    return NULL;
}

const SfApiSig *sf_api_sig(const SfApiRow *row)
{
    pthread_mutex_lock(&lock);
    const SfApiSig *sig = sig_locked(row);
    pthread_mutex_unlock(&lock);
    return sig;
}

static bool row_fits(const SfApiRow *row, unsigned flag, int version)
{
    return (row->versions & flag) != 0 && (row->since == 0 || version >= row->since) &&
           (row->until == 0 || version < row->until);
}

static const SfApiRow *find_locked(const char *dotted, unsigned flag, int version)
{
    if (!build_registry()) {
        return NULL;
    }
    const size_t len = strlen(dotted);
    int low = 0, high = nnames;
    while (low < high) {
        const int mid = low + (high - low) / 2;
        if (compare_names(&names[mid], dotted, len) < 0) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    for (; low < nnames && compare_names(&names[low], dotted, len) == 0; low++) {
        if (row_fits(names[low].row, flag, version)) {
            return names[low].row;
        }
    }
    return NULL;
}

const SfApiRow *sf_api_find_at(const char *dotted, unsigned flag, int version)
{
    pthread_mutex_lock(&lock);
    const SfApiRow *row = find_locked(dotted, flag, version);
    pthread_mutex_unlock(&lock);
    return row;
}

const SfApiRow *sf_api_find(const char *dotted, unsigned flag)
{
    return sf_api_find_at(dotted, flag, INT_MAX);
}
