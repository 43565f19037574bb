/* Internal to core/: text that grows in an arena, and TensorFlow's spelling of what it quotes.
 * Invariant: after a failed allocation every further call does nothing and sf_words_end gives NULL.
 * Owner: the arena. Source: tensorflow/core/framework/{node_def_util,tensor}.cc for the spelling.
 */
#ifndef SF_CORE_WORDS_H
#define SF_CORE_WORDS_H

#include "core/op/diag.h"

typedef struct SfWords {
    SfArena *arena;
    char *bytes;
    size_t len, cap;
    bool failed;
} SfWords;

void sf_words_init(SfWords *t, SfArena *arena);
void sf_words_char(SfWords *t, char c);
void sf_words_add(SfWords *t, const char *s);
void sf_words_addn(SfWords *t, const char *s, size_t n);
void sf_words_printf(SfWords *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sf_words_dim(SfWords *t, SfDim d);            /* symbols as `?` */
void sf_words_shape(SfWords *t, const SfShape *s); /* symbols as `?` */
void sf_words_value(SfWords *t, const SfValue *v); /* Tensor::SummarizeValue: `1 2`, `[1 2][3 4]` */
void sf_words_float(SfWords *t, double f); /* strings::StrCat(float): shortest that reads back */
void sf_words_arg(SfWords *t, const SfDiagArg *arg);
/* A template with {0}, {1}...; an argument that is not there stays as it is written. */
void sf_words_fill(SfWords *t, const char *words, const SfDiagArg *args, int nargs);
const char *sf_words_end(SfWords *t); /* NULL: no memory */

#endif
