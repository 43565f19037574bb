/* Attrs of ops: their types, values and declarations, and the ports that depend on them.
 * Invariant: a list holds elements of one type in an array of that type; of a list of tensors or
 * functions only the length is kept.
 * Owner: arrays and strings live in the arena of the graph or call, or are interned or static.
 * Source: tensorflow/core/framework/{attr_value,op_def}.proto. */
#ifndef SF_CORE_ATTR_H
#define SF_CORE_ATTR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/status.h"
#include "core/base/strbuf.h"
#include "lattice/dtype.h"
#include "lattice/shape.h"
#include "lattice/value.h"

typedef enum SfAttrType {
    SF_ATTR_INT,
    SF_ATTR_FLOAT,
    SF_ATTR_BOOL,
    SF_ATTR_STRING,
    SF_ATTR_TYPE,
    SF_ATTR_SHAPE,
    SF_ATTR_TENSOR,
    SF_ATTR_FUNC,
    SF_ATTR_LIST = 16 /* added to the element type */
} SfAttrType;

typedef struct SfStrings {
    int n;
    const SfString *const *items;
} SfStrings;

/* The value of an attr. For SF_ATTR_TENSOR: dtype, shape, and value when it is small enough to
 * keep. */
typedef struct SfAttr {
    SfAttrType type;
    bool set; /* false: the default, or none when has_default is false */
    union {
        int64_t i;
        double f;
        bool b;
        const SfString *s;
        SfDtype type;
        const SfShape *shape;
        const char *func; /* name of a function; opaque here */
        struct {
            SfDtype dtype;
            const SfShape *shape;
            const SfValue *value;
        } tensor;
        struct {
            int n;
            union {
                const int64_t *i;
                const double *f;
                const bool *b;
                const SfString *const *s;
                const SfDtype *type;
                const SfShape *const *shape;
            } u;
        } list;
    } u;
} SfAttr;

typedef struct SfAttrSpec {
    const char *name;
    size_t name_length;
    SfAttrType type;
    bool has_default;
    SfAttr def;
    bool has_minimum;
    int64_t minimum;
    uint64_t allowed_types; /* bit dtype: allowed; 0 = all */
    int nallowed;           /* the same as a list, in TensorFlow's order (messages print it) */
    const SfDtype *allowed_order;
    SfStrings allowed_strings;
    bool inferred;  /* dtype or count that follows from the inputs */
    bool is_number; /* the N of some "N * T" */
} SfAttrSpec;

/* What is known of a type; of a list, what is known of its elements. */
typedef struct SfAttrTypeInfo {
    const char *name;    /* in signatures: "int" */
    const char *message; /* in op_def_library's messages: "DataType" */
    const char *python;  /* type(value).__name__: "DType" */
    size_t size;         /* of one in a list; 0: not kept */
} SfAttrTypeInfo;
const SfAttrTypeInfo *sf_attr_type_info(SfAttrType type);

static inline bool sf_attr_is_list(SfAttrType type)
{
    return (type & SF_ATTR_LIST) != 0;
}

/* Element i of a list as an attr by itself. */
SfAttr sf_attr_element(const SfAttr *list, int i);
/* Bit for bit: a NaN is the same attr as itself, -0.0 is not 0.0. */
bool sf_attr_same(const SfAttr *a, const SfAttr *b);
/* Moves what `a` points to into the arena. */
SfStatus sf_attr_keep(SfArena *arena, SfAttr *a);
/* Makes `a` of type `want` as Python's int() and float() do; false when the kinds do not fit. */
bool sf_attr_convert(SfAttrType want, SfAttr *a);
/* May a type attr be `t`? One that lists no types may be any. */
bool sf_attr_allows_type(const SfAttrSpec *spec, SfDtype t);
bool sf_attr_allows_string(const SfAttrSpec *spec, const SfString *s);
/* "AddV2" as the generated Python function is called: "add_v2". */
void sf_strbuf_python_name(SfStrbuf *t, const char *op);

typedef struct SfPortSpec {
    const char *name;
    size_t name_length;
    bool is_ref;
    SfDtype dtype;   /* fixed dtype, or SF_DT_INVALID */
    int type_attr;   /* attr index of the dtype, or -1 */
    int number_attr; /* attr index of N in "N * T", or -1 */
    int list_attr;   /* attr index of a list(type), or -1 */
} SfPortSpec;

/* Does the port stand for a list of tensors? */
static inline bool sf_port_is_list(const SfPortSpec *port)
{
    return port->number_attr >= 0 || port->list_attr >= 0;
}

#endif
