/* User-facing functions: rows (name, version, signature) that map onto raw ops.
 * Invariant: a row either binds its parameters to an op's inputs and attrs by name (.op) or calls
 * a short composition (.call); apis sees SfArg, never a language's objects.
 * Owner: rows are const; what a call allocates lives in call->arena until the call ends (in graph
 * mode attrs are copied into the graph's arena by sf_build).
 * Source: tf and tf.compat.v1 API docs; tensorflow/python/framework/op_def_library.py. */
#ifndef SF_APIS_API_H
#define SF_APIS_API_H

#include <limits.h>

#include "core/graph/graph.h"
#include "lattice/interval.h"

/* arguments */
typedef enum SfArgKind {
    SF_ARG_DEFAULT = 0, /* not given and without a default in the row */
    SF_ARG_NONE,
    SF_ARG_BOOL,
    SF_ARG_INT,
    SF_ARG_FLOAT,
    SF_ARG_STRING, /* str or bytes */
    SF_ARG_DTYPE,
    SF_ARG_SHAPE,  /* a TensorShape object */
    SF_ARG_DIM,    /* a Dimension object of TensorFlow 1 */
    SF_ARG_TENSOR, /* a Tensor, or what converts to one (a Variable) */
    SF_ARG_ARRAY,  /* a numpy array or scalar: dtype, shape, content when small */
    SF_ARG_LIST,   /* list or tuple */
    SF_ARG_OBJECT  /* anything else; opaque */
} SfArgKind;

typedef struct SfArg {
    SfArgKind kind;
    bool is_tuple; /* SF_ARG_LIST */
    union {
        bool b;
        int64_t i;
        double f;
        struct {
            const char *bytes; /* NUL-terminated after len */
            size_t len;
        } s;
        SfDtype dtype;
        const SfShape *shape;
        SfDim dim;
        SfTensor tensor;
        struct {
            SfDtype dtype;
            const SfShape *shape;
            const SfValue *value;     /* NULL when too large or not convertible */
            const SfInterval *bounds; /* of its elements where value is NULL; NULL: nobody asked */
        } array;
        struct {
            int n;
            const struct SfArg *items;
        } list;
        void *object;
    } u;
} SfArg;

/* rows */
typedef struct SfCall SfCall;
typedef SfStatus (*SfApiFn)(SfCall *c);
/* A composition with one result; `scope` goes before the names of its ops. */
typedef SfStatus (*SfBody)(SfCall *c, const char *scope, SfTensor *out);

enum {
    SF_TF1 = 1u << 0, /* tf.* of TensorFlow 1 and tf.compat.v1.* */
    SF_TF2 = 1u << 1, /* tf.* of TensorFlow 2 */
    SF_TF12 = SF_TF1 | SF_TF2
};

typedef enum SfResultForm {
    SF_RESULT_AUTO =
        0,          /* one output: a tensor; none: the operation; several: a list / namedtuple */
    SF_RESULT_OP,   /* the operation itself */
    SF_RESULT_LIST, /* always a list */
    SF_RESULT_NONE
} SfResultForm;

typedef struct SfApiRow {
    const char *names;     /* "tf.reshape tf.manip.reshape": separated by one space */
    unsigned versions;     /* SF_TF1 | SF_TF2 */
    const char *signature; /* "tensor, shape, name=None": Python's, as inspect.signature shows it */
    const char *op;        /* raw op, or NULL */
    /* "x=input axis=dim validate_indices=": parameter=op's input or attr, where they differ;
     * nothing after the = when the parameter is read by nobody. Of several parameters with one
     * target the first is the name, the others are its deprecated spellings. */
    const char *rename;
    SfApiFn call; /* instead of, or on top of, op */
    SfBody body;  /* of sf_compose_row, which SF_SCOPED and SF_PLAIN set */
    const char *scope;
    const char *data; /* for .call functions shared by many rows: the datum that differs */
    SfResultForm form;
    /* The emulated versions that have it: since <= version < until, as SF_VERSION(); 0: no bound.
     */
    int since, until;
} SfApiRow;

typedef struct SfApiTable {
    const SfApiRow *rows;
    int count;
    const char *name; /* "math" */
} SfApiTable;

/* Defaults in a row's signature: None, True, False, numbers, 'text', [] and tf.float32-like. */
typedef struct SfApiParam {
    const char *name;
    bool has_default;
    SfArg def;
    int kind; /* 0 positional or keyword, 1 keyword only, 2 *args, 3 **kwargs */
} SfApiParam;

enum { SF_API_PARAMS_MAX = 32 }; /* of one row */

typedef struct SfApiSig { /* parsed once, on first use, owned by the registry */
    const SfApiRow *row;
    const SfOpSig *op;
    int nparams;
    const SfApiParam *params;
    /* for rows with an op: param -> input i (i), attr j (-2-j), name (-1), SF_BIND_NONE */
    const int *bind;
    int name_param;         /* index of `name`, or -1 */
    const int *input_param; /* the other way: op input i <- param, or -1 */
    const int *attr_param;  /* op attr j <- param, or -1 */
    /* Can a call with a tensor for each input skip all conversions? Then each input and output
     * of the op is one tensor, each input has a parameter of its own, and no parameter has two
     * spellings. */
    bool single_ports;
    int naliases;
    const int *alias_of; /* param -> the param that it is a deprecated spelling of, or -1 */
} SfApiSig;
#define SF_BIND_NONE INT_MIN

/* All rows of all tables (apis/apis.c registers ops too). Idempotent. */
SfStatus sf_apis_init(void);
int sf_api_table_count(void);
const SfApiTable *sf_api_table_at(int i);
const SfApiSig *
sf_api_sig(const SfApiRow *row); /* NULL: no memory or a wrong row (tests find it) */
/* Parses one row (tests and fuzzers); in `arena`; on failure NULL and *error says why. */
const SfApiSig *sf_api_sig_parse(const SfApiRow *row, SfArena *arena, const char **error);
/* The row behind "tf.reshape" in the namespace `flag` (SF_TF1 or SF_TF2), NULL when there is none.
 * sf_api_find_at finds what an emulated version has (tf.mul exists before 1.0 only), sf_api_find
 * what the newest has. */
const SfApiRow *sf_api_find(const char *dotted, unsigned flag);
const SfApiRow *sf_api_find_at(const char *dotted, unsigned flag, int version);

/* a call */
struct SfCall {
    SfBuilder *b;
    const SfApiSig *sig;
    const SfArg *args; /* nparams, defaults filled in */
    SfArena *arena;
    /* result, set by sf_return_*: */
    SfResultForm form;
    int nresults;
    SfTensor *results; /* in arena, or `only` */
    SfTensor only;     /* the result, where there is one */
    SfNode *op;        /* the last node made, for SF_RESULT_OP */
    int *out_sizes;    /* of a raw op: how many results each of its outputs stands for; in arena */
    /* Optional: a text that only the language knows, used in error messages alone: repr(a) or,
     * with `type`, the name of its type ("list", "ndarray"); in c->arena. NULL: ours. */
    const char *(*describe)(const SfCall *c, const SfArg *a, bool type);
    const SfArg *raw_args; /* of sf_api_raw, where there is no row */
    int nraw;
};

/* Runs a row: binds or calls. In SF_RESULT_AUTO results hold the op's outputs. SF_UNMODELLED: the
 * result is unknown and computed from sf_api_given(). */
SfStatus sf_api_call(SfCall *c);
/* Binds `args` (parallel to the parameters) to the op of c's row: for .call functions that only
 * change an argument first. */
SfStatus sf_api_apply(SfCall *c, const SfArg *args);
/* The same with a node name of the call's choice; NULL: the `name` argument. */
SfStatus sf_api_apply_named(SfCall *c, const SfArg *args, const char *name);
/* A raw op with keyword inputs and attrs (tf.raw_ops.X): args parallel to `names`. */
SfStatus sf_api_raw(SfCall *c, const SfOpSig *op, const char *name, const char *const *names,
                    const SfArg *args, int nargs);

/* The tensors among the arguments, in call->arena; NULL: no memory, or none. */
const SfTensor *sf_api_given(const SfCall *c, int *n);

/* helpers for .call compositions */
const SfArg *sf_api_arg(const SfCall *c, const char *param); /* never NULL for a declared one */
bool sf_arg_is_none(const SfArg *a);                         /* None or not given */
/* deprecation.deprecated_argument_lookup: the argument under its name or its deprecated name (None
 * when neither is given); both are a ValueError. */
SfStatus sf_api_either(SfCall *c, const char *param, const char *deprecated, const SfArg **out);
bool sf_api_eager(const SfCall *c);
int sf_api_version(const SfCall *c);
/* Typed readings of an argument; SF_REPORTED (TypeError in TensorFlow's message) when it does not
 * fit. None leaves *out as it is. */
SfStatus sf_api_bool(SfCall *c, const char *param, bool *out);
SfStatus sf_api_int(SfCall *c, const char *param, int64_t *out);
SfStatus sf_api_float(SfCall *c, const char *param, double *out);
SfStatus sf_api_string(SfCall *c, const char *param, const char **out);
SfStatus sf_api_dtype(SfCall *c, const char *param, SfDtype *out);
SfStatus sf_api_ints(SfCall *c, const char *param, int64_t **items, int *n); /* scalar: n = 1 */
SfStatus sf_api_static_shape(SfCall *c, const char *param, const SfShape **out);

/* ops.convert_to_tensor: numbers, strings, arrays and (nested) lists become Const, lists with
 * tensors in them Pack. `want` SF_DT_INVALID: deduced (int32, float32, string, bool). A tensor of
 * another dtype than `want` is TypeError / ValueError in TensorFlow's message. */
SfStatus sf_api_tensor(SfCall *c, const SfArg *a, SfDtype want, SfTensor *out);
SfStatus sf_api_tensor_named(SfCall *c, const SfArg *a, SfDtype want, const char *node_name,
                             SfTensor *out);
/* `a`, or where it is a list of sizes the same with a number in place of each item of which nobody
 * knows the rank. */
SfStatus sf_api_sizes(SfCall *c, const SfArg *a, const SfArg **out);
/* The same with a dtype that is only preferred (dtype_hint): another is taken when it does not fit.
 */
SfStatus sf_api_tensor_hint(SfCall *c, const SfArg *a, SfDtype hint, const char *node_name,
                            SfTensor *out);
/* The SfTensor of a Const made here (shape arguments, axes). */
SfStatus sf_api_const_int(SfCall *c, int64_t v, SfDtype dtype, const char *name, SfTensor *out);
SfStatus sf_api_const_ints(SfCall *c, const int64_t *v, int n, SfDtype dtype, const char *name,
                           SfTensor *out);
SfStatus sf_api_const_value(SfCall *c, const SfValue *v, const char *name, SfTensor *out);

/* Makes one op. `name` NULL: the op's type. One output through *out (may be NULL when it has
 * none); attrs as an array, e.g. (const SfAttrArg[]){SF_AINT("axis", 1)}, 1. */
SfStatus sf_api_op(SfCall *c, const char *op, const char *name, const SfTensor *in, int nin,
                   const SfAttrArg *attrs, int nattrs, SfTensor *out);
SfStatus sf_api_op_multi(SfCall *c, const char *op, const char *name, const SfTensor *in, int nin,
                         const int *list_sizes, const SfAttrArg *attrs, int nattrs, SfTensor *outs,
                         int max_outs, int *nout);
#define SF_AINT(n, v)                                                                              \
    {                                                                                              \
        .name = (n), .value = {.type = SF_ATTR_INT, .set = true, .u = {.i = (v)} }                 \
    }
#define SF_ABOOL(n, v)                                                                             \
    {                                                                                              \
        .name = (n), .value = {.type = SF_ATTR_BOOL, .set = true, .u = {.b = (v)} }                \
    }
#define SF_AFLOAT(n, v)                                                                            \
    {                                                                                              \
        .name = (n), .value = {.type = SF_ATTR_FLOAT, .set = true, .u = {.f = (v)} }               \
    }
#define SF_ATYPE(n, v)                                                                             \
    {                                                                                              \
        .name = (n), .value = {.type = SF_ATTR_TYPE, .set = true, .u = {.type = (v)} }             \
    }
#define SF_ASHAPE(n, v)                                                                            \
    {                                                                                              \
        .name = (n), .value = {.type = SF_ATTR_SHAPE, .set = true, .u = {.shape = (v)} }           \
    }
SfAttr sf_attr_make_string(const char *s);
SfAttr sf_attr_make_ints(const int64_t *items, int n); /* items must outlive the call */

/* Name scopes of compositions: `with ops.name_scope(name, "Mean", ...) as scope`. No-op in eager
 * mode. `scope` receives the full scope with its slash, good as a `name`. */
typedef struct SfScope {
    const char *previous;
    const char *scope;
} SfScope;
SfStatus sf_api_scope_enter(SfCall *c, const char *name_or_null, const char *fallback, SfScope *s);
void sf_api_scope_exit(SfCall *c, const SfScope *s);
const char *sf_api_name(const SfCall *c); /* the `name` argument or NULL */

void sf_return_tensor(SfCall *c, SfTensor t);
void sf_return_list(SfCall *c, const SfTensor *t, int n); /* copied */
void sf_return_op(SfCall *c, SfNode *node);
/* Argument errors: ValueError and TypeError with TensorFlow's message. */
SfStatus sf_api_value_error(SfCall *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
SfStatus sf_api_type_error(SfCall *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A ValueError about the shapes of arguments: a finding, unlike the two above. */
SfStatus sf_api_shape_error(SfCall *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A RuntimeError: this is for graphs alone. */
SfStatus sf_api_graph_only_error(SfCall *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
