/* The kit: a reader of calls, the binding of arguments to parameters, and a printer of results. */
#include "tests/c/apis/api_kit.h"
#include "tests/c/domain/domain.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kit_open(ApiKit *k, int version, unsigned flag, bool eager)
{
    memset(k, 0, sizeof *k);
    sf_sink_init(&k->sink);
    sf_arena_init(&k->arena);
    sf_arena_init(&k->scratch);
    k->symbols = sf_symbol_scope_new();
    k->flag = flag;
    k->b = (SfBuilder){.graph = eager ? NULL : sf_graph_new(version),
                       .sink = &k->sink,
                       .version = version,
                       .device = "",
                       .scratch = &k->scratch};
}

void kit_close(ApiKit *k)
{
    if (k->b.graph) {
        sf_graph_free(k->b.graph);
    }
    sf_symbol_scope_free(k->symbols);
    sf_sink_free(&k->sink);
    sf_arena_free(&k->arena);
    sf_arena_free(&k->scratch);
}

/* reading */
typedef struct Reader {
    ApiKit *k;
    const char *p;
    const char *error;
} Reader;

static void spaces(Reader *r)
{
    while (*r->p == ' ') {
        r->p++;
    }
}

static bool take(Reader *r, char ch)
{
    spaces(r);
    if (*r->p != ch) {
        return false;
    }
    r->p++;
    return true;
}

static SfDtype letter_dtype(char ch)
{
    switch (ch) {
    case 'f':
    case 'r':
        return SF_DT_FLOAT;
    case 'h':
        return SF_DT_HALF;
    case 'd':
        return SF_DT_DOUBLE;
    case 'i':
        return SF_DT_INT32;
    case 'l':
        return SF_DT_INT64;
    case 'b':
        return SF_DT_BOOL;
    case 's':
        return SF_DT_STRING;
    case 'c':
        return SF_DT_COMPLEX64;
    default:
        return SF_DT_INVALID;
    }
}

static SfTensor make_tensor(Reader *r, char letter, const SfShape *shape)
{
    SfTensor t = {.shape = shape, .dtype = letter_dtype(letter)};
    ApiKit *k = r->k;
    int n = 0;
    if (!k->b.graph) {
        return t;
    }
    const SfAttrArg attrs[] = {SF_ATYPE("dtype", t.dtype), SF_ASHAPE("shape", shape)};
    const char *op = letter == 'r' ? "VariableV2" : "Placeholder";
    if (sf_build(&k->b, sf_op_find(op), letter == 'r' ? "var" : "in", NULL, 0, NULL, attrs, 2, &t,
                 1, &n) != SF_OK) {
        r->error = "no placeholder";
    }
    if (letter != 'r' && t.node && !sf_shape_is_bottom(sf_shape_meet(t.shape, shape))) {
        t.shape = t.node->outputs[0].shape = shape; /* with the symbols of the text */
    }
    return t;
}

static SfArg read_value(Reader *r);

static SfArg read_list(Reader *r, char close)
{
    SfArg items[65];
    int n = 0;
    while (!take(r, close) && !r->error) {
        if (n > 0 && (!take(r, ',') || take(r, close))) {
            break;
        }
        items[n++] = read_value(r);
    }
    items[n] = (SfArg){0};
    SfArg *copy = sf_arena_copy(&r->k->arena, items, sizeof items[0] * (size_t)(n + 1));
    r->error = !copy ? "no memory" : r->error;
    return (SfArg){.kind = SF_ARG_LIST, .is_tuple = close == ')', .u.list = {n, copy}};
}

static SfArg read_text(Reader *r)
{
    const char quote = *r->p++;
    const char *start = r->p;
    while (*r->p != quote && *r->p != '\0') {
        r->p++;
    }
    const size_t len = (size_t)(r->p - start);
    const char *copy = sf_arena_strndup(&r->k->arena, start, len);
    r->p++;
    r->error = !copy ? "no memory" : r->error;
    return (SfArg){.kind = SF_ARG_STRING, .u.s = {copy, len}};
}

static SfArg read_number(Reader *r)
{
    char *end_int, *end_float;
    const long long i = strtoll(r->p, &end_int, 10);
    const double f = strtod(r->p, &end_float);
    if (end_float == r->p) {
        r->error = "a value was expected";
    }
    r->p = end_float;
    return end_float == end_int ? (SfArg){.kind = SF_ARG_INT, .u.i = i}
                                : (SfArg){.kind = SF_ARG_FLOAT, .u.f = f};
}

static SfArg read_word(Reader *r)
{
    static const struct {
        const char *word;
        SfArg arg;
    } message[] = {
        {"None", {.kind = SF_ARG_NONE}},
        {"True", {.kind = SF_ARG_BOOL, .u.b = true}},
        {"False", {.kind = SF_ARG_BOOL}},
        {"object()", {.kind = SF_ARG_OBJECT}},
    };
    for (int i = 0; i < SF_ARRAY_LEN(message); i++) {
        const size_t n = strlen(message[i].word);
        if (strncmp(r->p, message[i].word, n) == 0) {
            r->p += n;
            return message[i].arg;
        }
    }
    if (strncmp(r->p, "tf.", 3) == 0) {
        const char *start = r->p += 3;
        while (isalnum((unsigned char)*r->p)) {
            r->p++;
        }
        return (SfArg){.kind = SF_ARG_DTYPE,
                       .u.dtype = sf_dtype_parse(start, (size_t)(r->p - start))};
    }
    const char letter = r->p[0];
    const char *end = NULL;
    if (letter_dtype(letter) != SF_DT_INVALID && (r->p[1] == '[' || r->p[1] == '?')) {
        const SfShape *shape = sf_shape_parse(r->p + 1, r->k->symbols, &end);
        if (shape) {
            r->p = end;
            return (SfArg){.kind = SF_ARG_TENSOR, .u.tensor = make_tensor(r, letter, shape)};
        }
    }
    return read_number(r);
}

static SfArg read_value(Reader *r)
{
    spaces(r);
    if (*r->p == '\'' || *r->p == '"') {
        return read_text(r);
    }
    if (take(r, '[')) {
        return read_list(r, ']');
    }
    if (take(r, '(')) {
        return read_list(r, ')');
    }
    return read_word(r);
}

/* binding: what the language's dispatcher does */
static int find_param(const SfApiSig *sig, const char *name, size_t len)
{
    for (int i = 0; i < sig->nparams; i++) {
        if (strlen(sig->params[i].name) == len && memcmp(sig->params[i].name, name, len) == 0) {
            return i;
        }
    }
    return -1;
}

static int keyword(Reader *r, const SfApiSig *sig)
{
    const char *p = r->p;
    while (*p == ' ') {
        p++;
    }
    const char *start = p;
    while (isalnum((unsigned char)*p) || *p == '_') {
        p++;
    }
    if (p == start || *p != '=') {
        return -2;
    }
    r->p = p + 1;
    return find_param(sig, start, (size_t)(p - start));
}

static void read_args(Reader *r, const SfApiSig *sig, SfArg *args)
{
    SfArg star[33];
    int next = 0, nstar = 0, star_param = -1;
    for (int i = 0; i < sig->nparams; i++) {
        args[i] = sig->params[i].def;
        star_param = sig->params[i].kind == 2 ? i : star_param;
    }
    while (!take(r, ')') && !r->error) {
        const int at = keyword(r, sig);
        if (at == -1) {
            r->error = "unexpected keyword";
            return;
        }
        const SfArg a = read_value(r);
        if (at >= 0) {
            args[at] = a;
        } else if (star_param >= 0 && next >= star_param) {
            star[nstar++] = a;
        } else if (next < sig->nparams) {
            args[next++] = a;
        } else {
            r->error = "too many arguments";
        }
        if (!take(r, ',') && *r->p != ')' && *r->p != ' ') {
            r->error = r->error ? r->error : "a comma was expected";
        }
    }
    if (star_param >= 0) {
        star[nstar] = (SfArg){0};
        const SfArg *copy = sf_arena_copy(&r->k->arena, star, sizeof star[0] * (size_t)(nstar + 1));
        r->error = !copy ? "no memory" : r->error;
        args[star_param] = (SfArg){.kind = SF_ARG_LIST, .is_tuple = true, .u.list = {nstar, copy}};
    }
}

/* printing */
static void add(ApiKit *k, const char *message)
{
    const size_t len = strlen(k->text);
    snprintf(k->text + len, sizeof k->text - len, "%s", message);
}

static void print_results(ApiKit *k, const SfCall *c)
{
    char shape[512];
    if (c->form == SF_RESULT_OP || c->nresults == 0) {
        add(k, c->op ? "op " : "nothing");
        add(k, c->op ? c->op->name : "");
        return;
    }
    for (int i = 0; i < c->nresults; i++) {
        const SfTensor *t = &c->results[i];
        add(k, i > 0 ? "; " : c->form == SF_RESULT_LIST ? "list " : "");
        if (t->node) {
            add(k, t->node->name);
            add(k, " ");
        }
        add(k, sf_dtype_name(t->dtype));
        sf_shape_format(t->shape, false, shape, sizeof shape);
        add(k, " ");
        add(k, strcmp(shape, "<unknown>") == 0 ? "?" : shape);
    }
}

static void print_error(ApiKit *k)
{
    const SfDiag *d = k->sink.last;
    const SfErrorClass class_ = d ? sf_diag_info(d->code)->class_ : SF_ERR_INTERNAL;
    const bool eager = !k->b.graph;
    add(k, class_ == SF_ERR_TYPE                        ? "TypeError: "
           : class_ == SF_ERR_INVALID_ARGUMENT && eager ? "InvalidArgumentError: "
                                                        : "ValueError: ");
    add(k, d ? d->message : "no report");
}

const char *kit_call(ApiKit *k, const char *call)
{
    char dotted[128];
    SfArg args[40];
    Reader r = {k, strchr(call, '('), NULL};
    k->text[0] = '\0';
    sf_sink_clear(&k->sink);
    if (!r.p || (size_t)(r.p - call) >= sizeof dotted) {
        return "no call";
    }
    memcpy(dotted, call, (size_t)(r.p - call));
    dotted[r.p - call] = '\0';
    const SfApiRow *row = sf_api_find_at(dotted, k->flag, k->b.version);
    const SfApiSig *sig = row ? sf_api_sig(row) : NULL;
    if (!sig) {
        return !row ? "no such function" : "a wrong row";
    }
    r.p++;
    read_args(&r, sig, args);
    if (r.error) {
        return r.error;
    }
    SfCall c = {.b = &k->b, .sig = sig, .args = args, .arena = &k->arena};
    if (sf_api_call(&c) == SF_OK) {
        print_results(k, &c);
    } else {
        print_error(k);
    }
    return k->text;
}
