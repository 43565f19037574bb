/* Internal to lattice/: an snprintf that can be continued.
 * Invariant: `len` counts what would have been written; buf is NUL-terminated when size > 0.
 * Owner: the caller of the formatter owns the buffer. Source: snprintf's contract. */
#ifndef SF_LATTICE_TEXT_H
#define SF_LATTICE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "lattice/dim.h"

typedef struct SfText {
    char *buf;
    size_t size;
    size_t len;
} SfText;

SfText sf_text_start(char *buf, size_t size);
void sf_text_bytes(SfText *t, const char *bytes, size_t len);
void sf_text_str(SfText *t, const char *str);
void sf_text_int(SfText *t, int64_t i);
void sf_text_uint(SfText *t, uint64_t i);
/* The shortest of `digits` and `more_digits` significant digits that reads back as `f`, as
 * TensorFlow's strings::FloatToBuffer (6, 9) and DoubleToBuffer (15, 17). */
void sf_text_real(SfText *t, double f, bool single);
void sf_text_dim(SfText *t, SfDim d, bool symbols);
/* The length as the int that snprintf returns; INT_MAX when it does not fit. */
int sf_text_end(const SfText *t);

#endif
