/* See net.h. */
#include "tests/c/apis/net.h"
#include "tests/c/domain/domain.h"

#include <stdio.h>
#include <string.h>

void net_open(Net *n, int version)
{
    *n = (Net){0};
    cr_assert(sf_apis_init() == SF_OK);
    n->g = sf_graph_new(version);
    cr_assert(n->g);
    n->s = sf_session_new(n->g);
    sf_sink_init(&n->sink);
    sf_arena_init(&n->arena);
    n->b = (SfBuilder){.graph = n->g, .sink = &n->sink, .version = version, .device = ""};
}

void net_close(Net *n)
{
    sf_session_free(n->s);
    sf_graph_free(n->g);
    sf_sink_free(&n->sink);
    sf_arena_free(&n->arena);
}

/* attrs from text */

enum { ITEMS_MAX = 8 };

static void *kept(Net *n, const void *p, size_t size)
{
    void *copy = sf_arena_copy(&n->arena, p, size);
    cr_assert(copy);
    return copy;
}

static SfDtype take_type(const char **p)
{
    const size_t len = strcspn(*p, ",]");
    const SfDtype t = sf_dtype_parse(*p, len);
    cr_assert(t != SF_DT_INVALID, "no dtype: %s", *p);
    *p += len;
    return t;
}

static const SfShape *take_shape(const char **p)
{
    const SfShape *s = sf_shape_parse(*p, NULL, p);
    cr_assert(s);
    return s;
}

static void take_list(Net *n, const char **p, SfAttr *a)
{
    SfDtype types[ITEMS_MAX];
    const SfShape *shapes[ITEMS_MAX];
    const bool of_types = a->type == (SF_ATTR_LIST | SF_ATTR_TYPE);
    int count = 0;
    cr_assert(*(*p)++ == '[');
    while (**p != ']') {
        cr_assert(count < ITEMS_MAX);
        if (of_types) {
            types[count++] = take_type(p);
        } else {
            shapes[count++] = take_shape(p);
        }
        *p += **p == ',';
    }
    ++*p;
    a->u.list.n = count;
    if (of_types) {
        a->u.list.u.type = kept(n, types, sizeof types);
    } else {
        a->u.list.u.shape = kept(n, shapes, sizeof shapes);
    }
}

static void take_attr(Net *n, const SfOpSig *sig, const char **p, SfAttrArg *out)
{
    const size_t len = strcspn(*p, "=");
    out->name = sf_arena_strndup(&n->arena, *p, len);
    const int i = sf_op_attr_index(sig, out->name);
    cr_assert(i >= 0, "no attr %s", out->name);
    SfAttr *a = &out->value;
    *a = (SfAttr){.type = sig->attrs[i].type, .set = true};
    *p += len + 1;
    char *end;
    switch ((int)a->type) {
    case SF_ATTR_TYPE:
        a->u.type = take_type(p);
        break;
    case SF_ATTR_SHAPE:
        a->u.shape = take_shape(p);
        break;
    case SF_ATTR_BOOL:
        a->u.b = **p == 't';
        *p += strcspn(*p, ",");
        break;
    case SF_ATTR_INT:
        a->u.i = strtoll(*p, &end, 10);
        *p = end;
        break;
    case SF_ATTR_STRING: {
        const size_t size = strcspn(*p, ",");
        a->u.s = sf_elem_string(*p, size).u.s;
        *p += size;
        break;
    }
    default:
        take_list(n, p, a);
        break;
    }
}

/* building */

static SfStatus build(Net *n, const char *op, const char *attrs, const SfTensor *in, int nin,
                      int *nout)
{
    SfAttrArg args[ITEMS_MAX];
    int nargs = 0;
    const SfOpSig *sig = sf_op_find(op);
    cr_assert(sig, "no op %s", op);
    for (const char *p = attrs; *p; p += *p == ',') {
        take_attr(n, sig, &p, &args[nargs++]);
    }
    return sf_build(&n->b, sig, NULL, in, nin, NULL, args, nargs, n->outs, SF_ARRAY_LEN(n->outs),
                    nout);
}

SfTensor net_op(Net *n, const char *op, const char *attrs, const SfTensor *in, int nin)
{
    int nout = 0;
    const SfStatus status = build(n, op, attrs, in, nin, &nout);
    cr_assert(status == SF_OK, "%s: %s", op, n->sink.last ? n->sink.last->message : "?");
    if (nout == 0) {
        return (SfTensor){.node = sf_graph_node(n->g, sf_graph_size(n->g) - 1)};
    }
    return n->outs[0];
}

const char *net_refused(Net *n, const char *op, const char *attrs, const SfTensor *in, int nin)
{
    int nout = 0;
    cr_assert(build(n, op, attrs, in, nin, &nout) == SF_REPORTED, "%s was accepted", op);
    return n->sink.last->message;
}

SfTensor net_placeholder(Net *n, const char *dtype, const char *shape)
{
    char attrs[96];
    (void)snprintf(attrs, sizeof attrs, "dtype=%s,shape=%s", dtype, shape);
    return NET0(n, "Placeholder", attrs);
}

SfTensor net_int(Net *n, const char *dtype, int64_t i)
{
    const SfDtype t = sf_dtype_parse(dtype, strlen(dtype));
    SfAttrArg args[2] = {{"value", {.type = SF_ATTR_TENSOR, .set = true}},
                         {"dtype", {.type = SF_ATTR_TYPE, .set = true}}};
    int nout;
    args[0].value.u.tensor.dtype = t;
    args[0].value.u.tensor.shape = sf_shape_scalar();
    args[0].value.u.tensor.value = sf_value_int(t, i);
    args[1].value.u.type = t;
    cr_assert(sf_build(&n->b, sf_op_find("Const"), NULL, NULL, 0, NULL, args, 2, n->outs,
                       SF_ARRAY_LEN(n->outs), &nout) == SF_OK);
    return n->outs[0];
}

/* running */

static const char *describe(Net *n, SfTensor t)
{
    int64_t i;
    const int len = sf_shape_format(t.shape, false, n->text, sizeof n->text);
    if (sf_value_as_int(t.value, &i)) {
        (void)snprintf(n->text + len, sizeof n->text - (size_t)len, "=%lld", (long long)i);
    }
    return n->text;
}

const char *net_run(Net *n, SfTensor fetch, const SfTensor *feed, const char *feed_shape)
{
    SfFeed f = {0};
    if (feed) {
        f.target = *feed;
        f.shape = sf_shape_parse(feed_shape, NULL, NULL);
    }
    SfTensor result = {0};
    SfNode *target = fetch.node;
    const bool fetched = fetch.shape;
    sf_sink_clear(&n->sink);
    const SfStatus status = sf_session_run(n->s, &fetch, fetched, &target, !fetched, &f,
                                           feed != NULL, &n->sink, &result);
    if (status != SF_OK) {
        return n->sink.last ? n->sink.last->message : "no memory";
    }
    return fetched ? describe(n, result) : "ran";
}

const char *net_code(const Net *n)
{
    return n->sink.last ? sf_diag_info(n->sink.last->code)->id : "";
}

const char *net_shape(Net *n, SfTensor t)
{
    return describe(n, t);
}
