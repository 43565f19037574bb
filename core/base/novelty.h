/* How much of what this process does is new to it: a count that only grows.
 * It grows when a node is added to a graph, a plan is made, a run is inferred from shapes that its
 * plan had not, an eager call has operands of a form that its location had not, and when whoever
 * embeds the core says so. Work that leaves it as it was has repeated earlier work.
 * Invariant: never smaller than before; threads may count at a time.
 * Owner: the process. Source: docs/loops.md. */
#ifndef SF_CORE_NOVELTY_H
#define SF_CORE_NOVELTY_H

#include <stdint.h>

/* So many different contents of one form (shapes, dtypes) count as new; further ones are taken
 * for data. */
enum { SF_NOVEL_CONTENTS = 16 };

void sf_novelty_count(void);
uint64_t sf_novelty(void);

#endif
