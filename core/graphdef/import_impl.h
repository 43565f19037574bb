/* Internal to core/: what an import knows of its file.
 * Invariant: a program (the nodes of the graph or of one function) is scanned once and then only
 * read; `order` visits every node once, producers first but for what `cycle` notes.
 * Owner: the import's arena, but for the arrays of programs, which sf_program_free frees. */
#ifndef SF_CORE_GRAPHDEF_IMPL_H
#define SF_CORE_GRAPHDEF_IMPL_H

#include "core/base/index.h"
#include "core/graphdef/attr_value.h"
#include "core/graphdef/graphdef.h"

/* What the name of an op type stands for. */
typedef enum SfDefKind {
    SF_DEF_OP,
    SF_DEF_UNKNOWN, /* not in the registry, no function either */
    SF_DEF_ARG,     /* an argument of a function: no NodeDef */
    SF_DEF_FUNCTION /* the op's name is a function's */
} SfDefKind;

typedef struct SfDefFunction SfDefFunction;

/* One op type, by the name that the file uses. */
typedef struct SfDefOp {
    SfSpan name;
    SfDefKind kind;
    SfOpRole role; /* SF_ROLE_NONE without a signature */
    const SfOpSig *sig;
    SfDefFunction *function;
    bool noticed;
} SfDefOp;

typedef struct SfDefNode {
    SfSpan name, body;
    int32_t first, nrefs; /* its refs, in the order of the file */
    int32_t nout; /* 1 + the greatest output that is asked for, when `op` has no signature */
    bool mapped;  /* some of its outputs are replaced by input_map */
    SfDefOp *op;
} SfDefNode;

enum { SF_REF_CONTROL = -1, SF_REF_MISSING = -1, SF_REF_MAPPED = -2 };

/* One input. node: >= 0 of the program; SF_REF_MISSING; SF_REF_MAPPED - k: entry k of the map. */
typedef struct SfDefRef {
    SfSpan text;   /* as it stands in the file */
    SfSpan output; /* functions: the name of the output; n 0: `port` counts all outputs */
    int32_t node, port;
} SfDefRef;

typedef struct SfProgram {
    SfDefNode *nodes; /* a function's arguments first */
    int32_t n, nargs;
    SfDefRef *refs;
    int32_t nrefs, refs_room;
    int32_t *order;
    SfIndex by_name;
    int32_t cycle;     /* a node on a cycle that is none of a loop; -1: none */
    int32_t ncycle;    /* nodes on it */
    int32_t duplicate; /* a node whose name was taken; -1: none */
    bool is_function;
    struct SfProgram *next; /* all of the import */
} SfProgram;

/* What a function gave for arguments of these shapes. */
typedef struct SfDefInstance {
    SfTensor *args, *outs;
    SfGraph *body;
    bool known; /* false: it could not be inferred */
    struct SfDefInstance *next;
} SfDefInstance;

struct SfDefFunction {
    SfSpan name, body;  /* FunctionDef */
    SfProgram *program; /* NULL: not scanned yet */
    bool broken;        /* of a form that is not read: its outputs are unknown */
    bool running;       /* recursion */
    bool called;
    int32_t nargs, nrets;
    SfDtype *arg_types;
    SfSpan *arg_names;
    SfDefRef *rets;
    SfDefInstance *instances;
    int ninstances;
};

struct SfImport {
    SfImportOptions o;
    SfArena arena;
    SfArena scratch; /* of one node */
    SfDecoder decoder;
    const SfOpSig *unknown; /* SfUnknown */
    SfProgram *programs;
    SfProgram *main;
    SfNode **made; /* of main */
    SfDefOp **ops; /* the types of the file's nodes */
    int32_t nops, ops_room;
    SfIndex ops_by_name;
    SfDefFunction **functions;
    int32_t nfunctions;
    SfIndex functions_by_name;
    SfGraph **bodies; /* of function instances */
    int32_t nbodies, bodies_room;
    SfImportCall *calls; /* with keep_calls */
    int ncalls, calls_room;
    int depth; /* of calls */
    int refused;
    uint32_t polls; /* for sf_interrupt_wanted */
    int64_t outputs_left, body_nodes_left, body_nodes;
    int producer;
    const char *error;
};

/* One program being built: the graph, or a body for given arguments. */
typedef struct SfBody {
    SfImport *im;
    const SfProgram *program;
    SfBuilder b;
    const char *prefix; /* with its slash; "": none */
    SfNode **made;
    const SfTensor *args;
    int first_call; /* of im->calls: kept since the node at hand began to call */
} SfBody;

/* import_scan.c: bytes -> program */
SfStatus sf_program_scan(SfImport *im, SfSpan bytes, SfDefFunction *f, SfProgram **out);
void sf_program_free(SfProgram *p);
int32_t sf_program_find(const SfProgram *p, SfSpan name);
/* "x", "x:1", "^x"; in a function "arg", "x:out:1". */
void sf_program_resolve(const SfImport *im, const SfProgram *p, SfSpan text, SfDefRef *out);
SfDefOp *sf_import_op(SfImport *im, SfSpan name); /* NULL: no memory */
uint32_t sf_span_hash(SfSpan s);
/* Says once why the file cannot be read. Always SF_REPORTED (or SF_NOMEM). */
SfStatus sf_import_fail(SfImport *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* import_build.c: program -> nodes */
SfStatus sf_body_build(SfBody *body);
/* The tensor behind a ref; its `node` is NULL when there is none (yet). */
SfTensor sf_body_tensor(const SfBody *body, const SfDefRef *ref);

/* import_call.c: functions */
SfStatus sf_import_library(SfImport *im, SfSpan library);
SfDefFunction *sf_import_function(const SfImport *im, SfSpan name);
/* What the body of `n`'s function(s) tells of its outputs. */
SfStatus sf_import_call(SfBody *body, const SfDefNode *d, SfNode *n);

#endif
