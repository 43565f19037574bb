/* The transfer function of ops whose rows say their shapes (SfOpDef.shapes, see infer.h).
 * Invariant: ranks are wanted before dims, both in the order of the signature, as TensorFlow's
 * shape functions do. Owner: none. Source: infer.h. */
#include "core/op/infer_impl.h"

#include <stdlib.h>
#include <string.h>

/* A dim with a name of one letter: what it is so far, and where it was found. */
typedef struct Named {
    bool found;
    SfDim dim;
    SfPlace place;
} Named;

typedef struct Names {
    Named of['z' - 'a' + 1];
} Names;

static const char *next_item(const char *at)
{
    at += strcspn(at, " ");
    return at + strspn(at, " ");
}

static int number_at(const char *at)
{
    return (int)strtol(at, NULL, 10);
}

static bool is_item(const char *at)
{
    return *at && *at != '-';
}

/* The end of an entry of "[a,b]", at its comma or bracket. */
static const char *entry_end(const char *at)
{
    return at + strcspn(at, ",]");
}

static int rank_of(const char *item)
{
    int rank = item[1] == ']' ? 0 : 1;
    for (; *item != ']'; item++) {
        rank += *item == ',';
    }
    return rank;
}

/* inputs */
static SfStatus want_rank_of(SfInfer *c, const char *item, int input)
{
    const SfPlace place = SF_INPUT(input);
    switch (*item) {
    case '[':
        return sf_want_rank(c, place, rank_of(item), NULL);
    case '>':
        return sf_want_rank_at_least(c, place, number_at(item + 2), NULL);
    case '<':
        return sf_want_rank_at_most(c, place, number_at(item + 2), NULL);
    default:
        return SF_OK;
    }
}

static SfStatus want_named(SfInfer *c, Named *n, SfPlace place)
{
    const SfDim d = sf_input_dim(c, place.index, place.axis);
    if (n->found) {
        return sf_want_equal(c, n->place, n->dim, place, d, &n->dim);
    }
    *n = (Named){true, d, place};
    return SF_OK;
}

static SfStatus want_dims_of(SfInfer *c, const char *item, int input, Names *names)
{
    const int rank = *item == '[' ? rank_of(item) : 0;
    const char *at = item + 1;
    for (int axis = 0; axis < rank; axis++, at = entry_end(at) + 1) {
        const SfPlace place = SF_AXIS(input, axis);
        if (*at >= '0' && *at <= '9') {
            SF_TRY(sf_want_dim(c, place, number_at(at)));
        } else if (*at != '?') {
            SF_TRY(want_named(c, &names->of[*at - 'a'], place));
        }
    }
    return SF_OK;
}

static SfStatus want_inputs(SfInfer *c, const char *spec, Names *names, bool dims)
{
    int flat = 0;
    for (int k = 0; k < c->sig->nin && is_item(spec); k++, spec = next_item(spec)) {
        const int end = flat + (int)sf_port_width(&c->sig->in[k], c->sig, c->attrs);
        for (; flat < end; flat++) {
            SF_TRY(dims ? want_dims_of(c, spec, flat, names) : want_rank_of(c, spec, flat));
        }
    }
    return SF_OK;
}

/* outputs */
/* The attr whose name is the text [at, end). */
static const SfAttr *named_attr(const SfInfer *c, const char *at, const char *end)
{
    for (int i = 0; i < c->sig->nattr; i++) {
        const size_t n = c->sig->attrs[i].name_length;
        if (n == (size_t)(end - at) && memcmp(c->sig->attrs[i].name, at, n) == 0) {
            return sf_attr_at(c->sig, c->attrs, i);
        }
    }
    assert(false && "the op declares no such attr");
    return &sf_attr_none;
}

static SfDim dim_of(const SfInfer *c, const char *at, const Names *names)
{
    const char *end = entry_end(at);
    if (*at == '?') {
        return SF_DIM_UNKNOWN;
    }
    if (*at >= '0' && *at <= '9') {
        return number_at(at);
    }
    if (end == at + 1) {
        return names->of[*at - 'a'].dim;
    }
    const int64_t n = named_attr(c, at, end)->u.i;
    return n < 0 ? SF_DIM_UNKNOWN : n;
}

static SfStatus set_dims(SfInfer *c, const char *item, int output, const Names *names)
{
    const int rank = rank_of(item);
    SfDim dims[SF_RANK_MAX];
    const char *at = item + 1;
    for (int axis = 0; axis < rank; axis++, at = entry_end(at) + 1) {
        dims[axis] = dim_of(c, at, names);
    }
    return sf_set_output_dims(c, output, rank, dims);
}

/* Output `output` is number `element` of its port. */
static SfStatus set_item(SfInfer *c, const char *item, int output, int element, const Names *names)
{
    int input;
    switch (*item) {
    case '[':
        return set_dims(c, item, output, names);
    case '=': {
        const int n = sf_input_range(c, c->sig->in[number_at(item + 1)].name, &input);
        return sf_set_output_same(c, output, n > 1 ? input + element : input);
    }
    case '{': {
        const SfShape *s = named_attr(c, item + 1, item + strcspn(item, "}"))->u.shape;
        return sf_set_output_shape(c, output, s ? s : sf_shape_unknown());
    }
    default:
        return sf_set_output_unknown(c, output);
    }
}

SfStatus sf_infer_shapes(SfInfer *c)
{
    const char *spec = c->sig->def->shapes, *arrow = strstr(spec, "->");
    Names names = {0};
    int flat = 0;
    SF_TRY(want_inputs(c, spec, &names, false));
    SF_TRY(want_inputs(c, spec, &names, true));
    const char *item = next_item(arrow);
    for (int k = 0; k < c->sig->nout;
         k++, item = is_item(next_item(item)) ? next_item(item) : item) {
        const int width = (int)sf_port_width(&c->sig->out[k], c->sig, c->attrs);
        for (int i = 0; i < width; i++) {
            SF_TRY(set_item(c, item, flat++, i, &names));
        }
    }
    return SF_OK;
}
