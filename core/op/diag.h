/* Diagnostics as data: code, node, places, typed arguments; text only when rendered.
 * Invariant: a record is complete when sf_sink_report returns; renderers read records, nothing
 * else. Owner: the sink's arena holds its records and their strings until sf_sink_clear.
 * Source: rustc's Diagnostic; the message is TensorFlow's (diag_codes.def). */
#ifndef SF_CORE_DIAG_H
#define SF_CORE_DIAG_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/strbuf.h"
#include "core/base/status.h"
#include "lattice/dtype.h"
#include "lattice/shape.h"
#include "lattice/value.h"

typedef enum SfSeverity { SF_ERROR, SF_WARNING, SF_NOTE } SfSeverity;

/* TensorFlow's error classes (absl codes); pymodule maps them to Python's exceptions. */
typedef enum SfErrorClass {
    SF_ERR_INVALID_ARGUMENT,    /* ValueError while a graph is built, else InvalidArgumentError */
    SF_ERR_VALUE,               /* ValueError always */
    SF_ERR_TYPE,                /* TypeError always */
    SF_ERR_FAILED_PRECONDITION, /* e.g. use of an uninitialised variable */
    SF_ERR_NOT_FOUND,
    SF_ERR_OUT_OF_RANGE,
    SF_ERR_UNIMPLEMENTED,
    SF_ERR_RUNTIME, /* RuntimeError */
    SF_ERR_LOOKUP,  /* LookupError: no gradient defined */
    SF_ERR_KEY,     /* KeyError */
    SF_ERR_ATTRIBUTE,
    SF_ERR_INTERNAL
} SfErrorClass;

typedef enum SfDiagCode {
#define SF_DIAG(code, name, severity, class, message) SF_DIAG_##name,
#include "core/op/diag_codes.def"
#undef SF_DIAG
    SF_DIAG_COUNT
} SfDiagCode;

typedef struct SfDiagInfo {
    const char *id;   /* "SF101" */
    const char *name; /* "DIM_EQUAL" */
    SfSeverity severity;
    SfErrorClass class_;
    const char *message; /* {0}, {1}...: the arguments */
} SfDiagInfo;
const SfDiagInfo *sf_diag_info(SfDiagCode code);

/* Where in an op: an input, one axis of it, an attr, an output, or the op itself. */
typedef enum SfPlaceKind {
    SF_PLACE_OP,
    SF_PLACE_INPUT,
    SF_PLACE_AXIS,
    SF_PLACE_ATTR,
    SF_PLACE_OUTPUT
} SfPlaceKind;

/* Two machine words: every want takes one or two of them, in registers. */
typedef struct SfPlace {
    SfPlaceKind kind;
    int index; /* flat input or output number */
    union {
        const char *attr; /* SF_PLACE_ATTR; else NULL or an axis */
        int axis;         /* SF_PLACE_AXIS: may be negative (counted from the end) */
    };
} SfPlace;

#define SF_THE_OP     ((SfPlace){SF_PLACE_OP, 0, {0}})
#define SF_INPUT(i)   ((SfPlace){SF_PLACE_INPUT, (i), {0}})
#define SF_AXIS(i, a) ((SfPlace){SF_PLACE_AXIS, (i), {.axis = (a)}})
#define SF_ATTR(name) ((SfPlace){SF_PLACE_ATTR, 0, {(name)}})
#define SF_OUTPUT(i)  ((SfPlace){SF_PLACE_OUTPUT, (i), {0}})

/* A typed argument of a message. */
typedef enum SfDiagArgKind {
    SF_DIAG_ARG_DIM,
    SF_DIAG_ARG_COUNT, /* of elements: a dim, or a product of dims */
    SF_DIAG_ARG_RANK,  /* of two ranks the wanted one comes first */
    SF_DIAG_ARG_INT,
    SF_DIAG_ARG_SHAPE,
    SF_DIAG_ARG_DTYPE,
    SF_DIAG_ARG_TEXT,
    SF_DIAG_ARG_FLOAT
} SfDiagArgKind;

typedef struct SfDiagArg {
    SfDiagArgKind kind;
    union {
        SfDim dim;
        int64_t i;
        double f;
        const SfShape *shape;
        SfDtype dtype;
        const char *text;
    } u;
} SfDiagArg;

/* A number, never a dim: an unknown dim would print the number of its symbols. A dim is SF_DIM_ARG;
 * what is computed from known dims and may be negative is cast to int64_t. */
#if SF_DIM_IS_DISTINCT
struct SfDimIsNotANumber;
#define SF_NUMBER(v) _Generic((v), SfDim : (struct SfDimIsNotANumber *)0, default : (v))
#else
#define SF_NUMBER(v) (v)
#endif

#define SF_DIM_ARG(v)   ((SfDiagArg){SF_DIAG_ARG_DIM, {.dim = (v)}})
#define SF_COUNT_ARG(v) ((SfDiagArg){SF_DIAG_ARG_COUNT, {.dim = (v)}})
#define SF_RANK_ARG(v)  ((SfDiagArg){SF_DIAG_ARG_RANK, {.i = SF_NUMBER(v)}})
#define SF_INT_ARG(v)   ((SfDiagArg){SF_DIAG_ARG_INT, {.i = SF_NUMBER(v)}})
#define SF_FLOAT_ARG(v) ((SfDiagArg){SF_DIAG_ARG_FLOAT, {.f = (v)}})
#define SF_SHAPE_ARG(v) ((SfDiagArg){SF_DIAG_ARG_SHAPE, {.shape = (v)}})
#define SF_DTYPE_ARG(v) ((SfDiagArg){SF_DIAG_ARG_DTYPE, {.dtype = (v)}})
#define SF_TEXT_ARG(v)  ((SfDiagArg){SF_DIAG_ARG_TEXT, {.text = (v)}})

typedef struct SfNode SfNode;

typedef struct SfDiagOperand {
    const char *name; /* of the input in the op's signature, "tensor" */
    const SfShape *shape;
    SfDtype dtype;
    const SfNode *producer; /* NULL in eager mode */
    uint32_t location;      /* where the producer was made */
    int output;             /* of the producer */
    const SfValue *value;   /* its content, where known */
} SfDiagOperand;

typedef enum SfPhase { SF_PHASE_BUILD, SF_PHASE_RUN, SF_PHASE_EAGER, SF_PHASE_API } SfPhase;

typedef struct SfDiag {
    SfDiagCode code;
    SfPhase phase;
    const char *op_type;   /* NULL when no op is concerned */
    const char *node_name; /* NULL in eager mode */
    const SfNode *node;    /* NULL in eager mode; valid while its graph lives */
    uint32_t location;     /* where the node was made; opaque to this layer, 0 = nowhere */
    int nplaces;
    const SfPlace *places;
    int nargs;
    const SfDiagArg *args;
    int noperands;
    const SfDiagOperand *operands; /* every input of the op, with its shape when it failed */
    const char *message;           /* TensorFlow's own message, complete with its error context */
    bool deferred; /* the op fails whenever the node runs, but TensorFlow reports it only then */
    struct SfDiag *next;
} SfDiag;

/* The fields that say which node it is of. */
#define SF_DIAG_OF(n)                                                                              \
    .op_type = (n)->sig->def->name, .node_name = (n)->name, .node = (n), .location = (n)->location

typedef struct SfSink {
    SfArena arena;
    SfDiag *first, *last;
    int count;
    int muted; /* > 0: reports are dropped (probing re-inference) */
    /* A checker wants every independent error, not the first: asked after an op's error was
     * reported, it says whether to go on with outputs of which nothing is known. NULL: never. */
    bool (*goes_on)(void *owner, const SfDiag *newest);
    void *owner; /* of goes_on */
} SfSink;

void sf_sink_init(SfSink *s);
void sf_sink_free(SfSink *s);
void sf_sink_clear(SfSink *s);
/* Copies `d` with its places, args and operands into the sink. Returns SF_REPORTED, or SF_NOMEM. */
SfStatus sf_sink_report(SfSink *s, const SfDiag *d);
/* After SF_REPORTED: does the owner of the sink want to go on? */
bool sf_sink_goes_on(SfSink *s);
void sf_strbuf_arg(SfStrbuf *t, const SfDiagArg *arg);
/* A template with {0}, {1}...; an argument that is not there stays as it is written. */
void sf_strbuf_fill(SfStrbuf *t, const char *message, const SfDiagArg *args, int nargs);
/* Fills the template of a code: the message without an error context. In `arena`. */
const char *sf_diag_message(SfArena *arena, SfDiagCode code, const SfDiagArg *args, int nargs);

#endif
