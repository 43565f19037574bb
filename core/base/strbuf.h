/* Internal to core/: text that grows in an arena, and TensorFlow's spelling of what it quotes.
 * Invariant: after a failed allocation every further call does nothing and sf_strbuf_end gives
 * NULL. Owner: the arena. Source: tensorflow/core/framework/{node_def_util,tensor}.cc for the
 * spelling.
 */
#ifndef SF_CORE_STRBUF_H
#define SF_CORE_STRBUF_H

#include <stdbool.h>

#include "core/base/arena.h"
#include "lattice/shape.h"
#include "lattice/value.h"

typedef struct SfStrbuf {
    SfArena *arena;
    char *bytes;
    size_t len, cap;
    bool failed;
} SfStrbuf;

void sf_strbuf_init(SfStrbuf *t, SfArena *arena);
void sf_strbuf_char(SfStrbuf *t, char c);
void sf_strbuf_add(SfStrbuf *t, const char *s);
void sf_strbuf_addn(SfStrbuf *t, const char *s, size_t n);
void sf_strbuf_printf(SfStrbuf *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sf_strbuf_dim(SfStrbuf *t, SfDim d);            /* symbols as `?` */
void sf_strbuf_shape(SfStrbuf *t, const SfShape *s); /* symbols as `?` */
void sf_strbuf_value(SfStrbuf *t,
                     const SfValue *v);      /* Tensor::SummarizeValue: `1 2`, `[1 2][3 4]` */
void sf_strbuf_float(SfStrbuf *t, double f); /* strings::StrCat(float): shortest that reads back */
const char *sf_strbuf_end(SfStrbuf *t);      /* NULL: no memory */

#endif
