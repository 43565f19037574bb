/* Internal to tests/c/support: reading the text of a row.
 * Invariant: the first failure is kept in row->error; a cursor `p` only moves forward.
 * Owner: the row. Source: op_rows.h. */
#ifndef SF_TESTS_OP_ROW_TEXT_H
#define SF_TESTS_OP_ROW_TEXT_H

#include "tests/c/support/op_row.h"

enum { RANK_MAX = SF_ARRAY_LEN(((SfRowTensor *)0)->dims), ELEMS_MAX = 512, TENSORS_MAX = 64 };

/* Always false. */
bool sf_row_bad(SfRow *row, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sf_row_skip(const char **p); /* blanks */
bool sf_row_take(const char **p, char wanted);
size_t sf_row_word(const char *p); /* the length of the word there */
bool sf_row_word_is(const char *p, size_t n, const char *word);
bool sf_row_int(SfRow *row, const char **p, int64_t *out);
bool sf_row_shape(SfRow *row, const char **p, SfRowTensor *t);
bool sf_row_dtype(SfRow *row, const char **p, SfDtype *out);
/* The content of a literal in a dtype; NULL when it cannot have it. */
const SfValue *sf_row_value(const SfRowTensor *t, SfDtype dtype);

#endif
