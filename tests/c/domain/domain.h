/* What tests and fuzzers ask of the lattice, and the library does not: shapes from text, symbols
 * replaced by numbers, and the order on values, by which a weaker answer is compared with a
 * stronger one.
 * Invariant: as in lattice/: results are interned, NULL says that memory ran out.
 * Owner: the caller owns a scope. Source: lattice/dim.h says which laws hold. */
#ifndef SF_TESTS_DOMAIN_H
#define SF_TESTS_DOMAIN_H

#include "lattice/value.h"

/* Reads the notation of the tests: `[2,?,2*n+1]`, `?` (unknown rank), `!` (bottom), `[]`; a -1 is a
 * `?` too. Names are symbols that print as they are written; the same name within one `scope` is
 * the same symbol; without a scope (NULL) they are errors. *end is where reading stopped; with end
 * NULL the text must end there. NULL on a syntax error or when memory ran out. */
typedef struct SfSymbolScope SfSymbolScope;
SfSymbolScope *sf_symbol_scope_new(void);
void sf_symbol_scope_free(SfSymbolScope *scope);
const SfShape *sf_shape_parse(const char *text, SfSymbolScope *scope, const char **end);

/* Replaces the symbol in `d`: sf_dim_bind(2*n, n, 8) is 16. The value may be any dim. */
SfDim sf_dim_bind(SfDim d, SfDim symbol, SfDim value);
/* A concrete shape (a feed) bound into a symbolic one: every symbol of `from` that stands alone is
 * replaced in `s` by the dim of `to` at the same place, all at once; the first place wins. An
 * unknown dim of `to` binds nothing. */
const SfShape *sf_shape_bind(const SfShape *s, const SfShape *from, const SfShape *to);
/* The order: NULL is top, there is no bottom. Elements follow their dims (dim.h says which laws
 * hold); numbers are compared by their bits, so that NaN equals itself. */
bool sf_value_leq(const SfValue *a, const SfValue *b);
/* *conflict (never NULL) becomes true, and the result NULL, when the two contradict each other in
 * dtype, shape or an element; it is set to false otherwise. Memory failure: NULL, no conflict. */
const SfValue *sf_value_meet(const SfValue *a, const SfValue *b, bool *conflict);
/* Every symbolic element with its symbol replaced (`sf_dim_bind`; an element may become negative).
 */
const SfValue *sf_value_bind(const SfValue *v, SfDim symbol, SfDim to);

#endif
