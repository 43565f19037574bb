/* Internal to apis/: what the files of the api layer share.
 * Invariant: an SfApiError describes a failure that no sink has seen yet; whoever gives up turns it
 * into a report, whoever has a second try drops it.
 * Owner: texts live in call->arena. Source: tensorflow/python/framework/op_def_library.py. */
#ifndef SF_APIS_API_INTERNAL_H
#define SF_APIS_API_INTERNAL_H

#include "apis/api.h"

typedef struct SfApiError {
    SfErrorClass class_;
    const char *text; /* NULL: the sink already has the report */
} SfApiError;

/* api_convert.c */
typedef struct SfWant {
    SfDtype dtype;               /* required, or SF_DT_INVALID */
    SfDtype prefer;              /* tried first when nothing is required */
    const SfAttrSpec *preferred; /* the attr whose default `prefer` is: its allowed types count */
    const char *name;            /* of the Const or Pack; NULL: "Const", "packed" */
} SfWant;

/* SF_REPORTED with error->text: nothing was reported yet. */
SfStatus sf_convert(SfCall *c, const SfArg *a, const SfWant *want, SfTensor *out,
                    SfApiError *error);
/* A Const of this content; `value` may be NULL (too large to know). */
SfStatus sf_convert_const(SfCall *c, SfDtype dtype, const SfShape *shape, const SfValue *value,
                          const char *name, SfTensor *out);
/* The content of an argument without tensors, as numpy would hold it. */
typedef struct SfContent {
    SfDtype dtype;
    const SfShape *shape;
    const SfValue *value;     /* NULL: too large */
    const SfInterval *bounds; /* then; NULL: nothing is known */
} SfContent;
SfStatus sf_convert_content(SfCall *c, const SfArg *a, SfDtype want, SfContent *out,
                            SfApiError *error);
/* The constant of it. */
SfStatus sf_convert_known(SfCall *c, const SfContent *content, const char *name, SfTensor *out);
bool sf_arg_has_tensor(const SfArg *a); /* itself, or in its nested lists */

/* api_args.c */
/* One attr from an argument, by the rules of op_def_library._Make*. */
SfStatus sf_arg_to_attr(SfCall *c, const SfAttrSpec *spec, const char *name, const SfArg *a,
                        SfAttr *out);
SfStatus sf_arg_to_shape(SfCall *c, const char *name, const SfArg *a, const SfShape **out);
bool sf_arg_as_int(const SfArg *a, int64_t *out); /* what Python's int() would make of it */

/* api_text.c */
const char *sf_arg_repr(const SfCall *c, const SfArg *a);
const char *sf_arg_str(const SfCall *c, const SfArg *a); /* as repr, but text without quotes */
const char *sf_arg_type_name(const SfCall *c, const SfArg *a);
/* "(?, 784)" of TensorFlow 1, "(None, 784)" of TensorFlow 2, "<unknown>". */
const char *sf_shape_tuple_text(const SfCall *c, const SfShape *s);
const char *sf_int_list_text(const SfCall *c, const int64_t *items, int n, char open, char close);

SfStatus sf_api_error(SfApiError *e, SfErrorClass class_, const char *text);
SfStatus sf_api_report(SfCall *c, const SfApiError *e); /* as an argument error; SF_REPORTED */

/* Is the emulated version a TensorFlow 2, whose messages differ? */
static inline bool sf_api_is_v2(const SfCall *c)
{
    return c->b->version >= SF_VERSION(2, 0);
}

static inline bool sf_api_is_eager(const SfCall *c)
{
    return !c->b->graph;
}

#endif
