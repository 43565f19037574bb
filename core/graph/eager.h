/* Internal to core/: state in eager mode. A resource that an eager op makes is owned by a node
 * outside of every graph the program sees; what it holds is kept in one table, as a session's is.
 * Invariant: an owner is never a tensor's producer, only its state.
 * Owner: the process, until sf_eager_reset (a handle may outlive all that is known of it); past
 * SF_EAGER_OWNERS_MAX of them nothing is known of a new one. Used by one thread at a time. */
#ifndef SF_CORE_EAGER_H
#define SF_CORE_EAGER_H

#include "core/graph/graph.h"
#include "core/op/state.h"

#define SF_EAGER_OWNERS_MAX (1 << 15)

/* An owner with these attrs (copied); NULL: the limit is reached, or no memory. */
SfNode *sf_eager_owner(const SfOpSig *sig, const SfAttr *attrs);
SfStateTable *sf_eager_states(void);
struct SfBoundTable *sf_eager_bound(void); /* the newest call of each op */
SfArena *sf_eager_arena(void);             /* of its entries */
void sf_eager_reset(void);

#endif
