/* The arguments of window ops: strides, ksize, dilations, padding, data_format. */
#include "apis/tf/window_args.h"

#include <string.h>

static const char *const formats_first[] = {"NCW", "NCHW", "NCDHW"};

void sf_window_add(SfWindow *w, SfAttrArg attr)
{
    if (w->nattrs < SF_WINDOW_ATTRS) {
        w->attrs[w->nattrs++] = attr;
    }
}

/* Reads data_format; the op gets it only when it is not the default. */
SfStatus sf_window_format(SfCall *c, SfWindow *w)
{
    const char *format = NULL;
    SF_TRY(sf_api_string(c, "data_format", &format));
    w->first = format && strncmp(format, "NC", 2) == 0;
    return SF_OK;
}

void sf_window_add_format(SfWindow *w, int spatial)
{
    if (w->first) {
        sf_window_add(w, (SfAttrArg){.name = "data_format",
                                     .value = sf_attr_make_string(formats_first[spatial - 1])});
    }
}

/* nn_ops._get_sequence: one number for all spatial axes, one for each, or the whole list. */
SfStatus sf_window_sequence(SfCall *c, const SfWindow *w, const char *param, const SfArg *a,
                            int64_t *out)
{
    const int n = w->spatial;
    int64_t *items = NULL;
    int count = 0;
    static int64_t one[] = {1};
    const bool none = sf_arg_is_none(a);
    if (!none) {
        SF_TRY(sf_api_ints(c, param, &items, &count));
    }
    if (none || count == 0) {
        items = one;
        count = 1;
    }
    if (count == n + 2) {
        memcpy(out, items, sizeof *out * (size_t)count);
        return SF_OK;
    }
    if (count != 1 && count != n) {
        if (sf_api_is_v2(c)) {
            return sf_api_value_error(c,
                                      "%s should be of length 1, %d or %d. Received: %s=%s of "
                                      "length %d",
                                      param, n, n + 2, param, sf_arg_repr(c, a), count);
        }
        return sf_api_value_error(c, "%s should be of length 1, %d or %d but was %d", param, n,
                                  n + 2, count);
    }
    for (int i = 0; i < n + 2; i++) {
        out[i] = 1;
    }
    for (int i = 0; i < n; i++) {
        out[(w->first ? 2 : 1) + i] = items[count == 1 ? 0 : i];
    }
    return SF_OK;
}

/* The whole list as TensorFlow 1.8 passes it on: the op checks its length. */
static SfStatus read_raw_list(SfCall *c, const char *param, int64_t *out, int *n)
{
    int64_t *items = NULL;
    SF_TRY(sf_api_ints(c, param, &items, n));
    if (*n > SF_WINDOW_MAX) {
        return sf_api_value_error(c, "%s has %d entries", param, *n);
    }
    if (items) {
        memcpy(out, items, sizeof *out * (size_t)*n);
    }
    return SF_OK;
}

SfStatus sf_window_add_sequence(SfCall *c, SfWindow *w, const char *param, const char *attr)
{
    const SfArg *a = sf_api_arg(c, param);
    int64_t *values = w->values[w->nattrs];
    int n = w->spatial + 2;
    if (c->b->version < SF_VERSION(1, 9) && a->kind == SF_ARG_LIST) {
        SF_TRY(read_raw_list(c, param, values, &n));
    } else {
        SF_TRY(sf_window_sequence(c, w, param, a, values));
    }
    sf_window_add(w, (SfAttrArg){.name = attr, .value = sf_attr_make_ints(values, n)});
    return SF_OK;
}

/* Dilations of one are the default and are not passed. */
SfStatus sf_window_add_dilations(SfCall *c, SfWindow *w, const char *param)
{
    int64_t *values = w->values[w->nattrs];
    const SfArg *a = sf_api_arg(c, param);
    bool plain = true;
    if (sf_arg_is_none(a)) {
        return SF_OK;
    }
    SF_TRY(sf_window_sequence(c, w, param, a, values));
    for (int i = 0; i < w->spatial + 2; i++) {
        plain = plain && values[i] == 1;
    }
    if (!plain) {
        sf_window_add(w, (SfAttrArg){.name = "dilations",
                                     .value = sf_attr_make_ints(values, w->spatial + 2)});
    }
    return SF_OK;
}

/* "SAME", "VALID", or a list of pairs: explicit paddings. */
SfStatus sf_window_add_padding(SfCall *c, SfWindow *w)
{
    const SfArg *a = sf_api_arg(c, "padding");
    if (a->kind != SF_ARG_LIST) {
        const char *message = NULL;
        if (sf_arg_is_none(a)) {
            return sf_api_type_error(c, "Expected string for argument 'padding' not None.");
        }
        SF_TRY(sf_api_string(c, "padding", &message));
        sf_window_add(w, (SfAttrArg){.name = "padding", .value = sf_attr_make_string(message)});
        return SF_OK;
    }
    int n = 0;
    for (int i = 0; i < a->u.list.n; i++) {
        const SfArg *pair = &a->u.list.items[i];
        for (int k = 0; k < 2; k++) {
            if (pair->kind != SF_ARG_LIST || pair->u.list.n != 2 || n == 2 * SF_WINDOW_MAX ||
                !sf_arg_as_int(&pair->u.list.items[k], &w->pads[n])) {
                return sf_api_value_error(
                    c,
                    "When padding is a list, each element of padding must be "
                    "a list/tuple of size 2. Element with index %d of padding "
                    "is not a list/tuple",
                    i);
            }
            n++;
        }
    }
    if (n != 2 * (w->spatial + 2)) {
        return sf_api_value_error(c,
                                  "When padding is a list, it must be of size %d. Got a list of "
                                  "size: %d",
                                  w->spatial + 2, a->u.list.n);
    }
    sf_window_add(w, (SfAttrArg){.name = "padding", .value = sf_attr_make_string("EXPLICIT")});
    sf_window_add(w,
                  (SfAttrArg){.name = "explicit_paddings", .value = sf_attr_make_ints(w->pads, n)});
    return SF_OK;
}
