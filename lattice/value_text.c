/* Text of values, in the two forms that TensorFlow's messages use. */
#include "lattice/value.h"

#include "lattice/elem.h"
#include "lattice/text.h"

#define SUMMARY_MAX 256 /* elements that shape_inference.cc lets SummarizeValue print */

/* As absl::CEscape. */
static void text_escaped(SfText *t, const SfString *s)
{
    static const char digits[] = "01234567";
    for (size_t i = 0; i < s->len; i++) {
        const unsigned char c = (unsigned char)s->bytes[i];
        const char octal[] = {'\\', digits[c >> 6], digits[(c >> 3) & 7], digits[c & 7]};
        const char plain = (char)c;
        switch (c) {
        case '\n':
            sf_text_str(t, "\\n");
            break;
        case '\r':
            sf_text_str(t, "\\r");
            break;
        case '\t':
            sf_text_str(t, "\\t");
            break;
        case '"':
        case '\'':
        case '\\':
            sf_text_str(t, "\\");
            sf_text_bytes(t, &plain, 1);
            break;
        default:
            if (c >= 32 && c < 127) {
                sf_text_bytes(t, &plain, 1);
            } else {
                sf_text_bytes(t, octal, sizeof octal);
            }
        }
    }
}

static void text_elem(SfText *t, SfDtype dtype, const SfElem *e)
{
    const bool single = dtype != SF_DT_DOUBLE && dtype != SF_DT_COMPLEX128;
    switch (e->kind) {
    case SF_ELEM_INT:
        if (dtype == SF_DT_UINT64) {
            sf_text_uint(t, (uint64_t)e->u.i);
        } else {
            sf_text_int(t, e->u.i);
        }
        break;
    case SF_ELEM_FLOAT:
        sf_text_real(t, e->u.f, single);
        break;
    case SF_ELEM_COMPLEX:
        sf_text_str(t, "(");
        sf_text_real(t, e->u.f, single);
        sf_text_str(t, ",");
        sf_text_real(t, e->im, single);
        sf_text_str(t, ")");
        break;
    case SF_ELEM_STRING:
        text_escaped(t, e->u.s);
        break;
    case SF_ELEM_UNKNOWN:
    case SF_ELEM_DIM:
    case SF_ELEM_SHAPE:
        sf_text_str(t, "?");
        break;
    }
}

/* The elements below `axis`, from *next on; brackets around all but the outermost list. */
static void text_axis(SfText *t, const SfValue *v, int axis, int64_t *next)
{
    const SfShape *shape = sf_value_shape(v);
    const bool innermost = axis == sf_shape_rank(shape) - 1;
    for (SfDim i = 0; i < sf_shape_dim(shape, axis); i++) {
        if (*next >= SUMMARY_MAX) {
            if (innermost && axis != 0) {
                sf_text_str(t, "...");
            }
            return;
        }
        if (innermost) {
            sf_text_str(t, i > 0 ? " " : "");
            text_elem(t, sf_value_dtype(v), &sf_value_elems(v)[(*next)++]);
        } else {
            sf_text_str(t, "[");
            text_axis(t, v, axis + 1, next);
            sf_text_str(t, "]");
        }
    }
}

static void text_summary(SfText *t, const SfValue *v)
{
    int64_t next = 0;
    if (sf_value_count(v) == 0) {
        return;
    }
    if (sf_shape_rank(sf_value_shape(v)) == 0) {
        text_elem(t, sf_value_dtype(v), sf_value_elems(v));
        return;
    }
    text_axis(t, v, 0, &next);
    if (sf_value_count(v) > SUMMARY_MAX) {
        sf_text_str(t, "...");
    }
}

int sf_value_format(const SfValue *v, char *buf, size_t size)
{
    SfText t = sf_text_start(buf, size);
    if (v && sf_value_is_exact(v)) {
        text_summary(&t, v);
    } else if (!v || sf_shape_rank(sf_value_shape(v)) != 1) {
        sf_text_str(&t, "?");
    } else {
        sf_text_str(&t, "[");
        for (int64_t i = 0; i < sf_value_count(v); i++) {
            sf_text_str(&t, i > 0 ? "," : "");
            text_elem(&t, sf_value_dtype(v), &sf_value_elems(v)[i]);
        }
        sf_text_str(&t, "]");
    }
    return sf_text_end(&t);
}
