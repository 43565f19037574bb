/* What a program made of its graph: which nodes ran, what was fed, where the graph grew.
 * Invariant: notes are taken when a plan runs first and only ever added; a note says what happened,
 * the lack of one that it did not happen in any run. Owner: the graph owns its notes, the session
 * its record of growth. Source: ours; TensorFlow says nothing of either. */
#ifndef SF_CORE_USAGE_H
#define SF_CORE_USAGE_H

#include "core/session/session.h"

enum { SF_USE_RAN = 1, SF_USE_FETCHED = 2, SF_USE_FED = 4, SF_USE_LOSS = 8, SF_USE_METRIC = 16 };
unsigned sf_graph_use(const SfGraph *g, const SfNode *n);
/* Takes the notes, and warns of suspects. Without memory nothing is noted. */
extern const SfSessionObserver sf_usage_observer;

/* SF506 for placeholders and variables that no run needed, if `is_users` accepts them (it
 * refuses those that libraries make). A placeholder: nothing reads it, or it was fed and nothing
 * that ran reads it. A variable: nothing reads it but its initializer and savers; or, in a graph
 * that was trained, what reads it neither ran nor leads to an op that keeps or writes state.
 * Silent for a graph from which nothing was ever fetched. */
typedef bool (*SfIsUsers)(void *owner, const SfNode *n);
void sf_usage_warn_unused(SfGraph *g, SfIsUsers is_users, void *owner, SfSink *sink);

/* SF507: `loss` is computed from the variable `x`, but only by way of an op without a gradient.
 * Silent when the loss never ran, when something else writes x, when x does not reach it at all,
 * when only its shape does, and where StopGradient says that it is meant. */
void sf_usage_warn_untrained(SfGraph *g, const SfTensor *loss, const SfNode *x, SfSink *sink);

/* [n] against [n,1]: the same n, which is not 1; a run decides where the two dims may be equal. */
typedef enum SfMixed { SF_MIXED_NOT, SF_MIXED_PERHAPS, SF_MIXED_SURELY } SfMixed;
SfMixed sf_shapes_mixed(const SfShape *row, const SfShape *column);
/* SF501 at `n` whose two inputs broadcast to `out` inside a loss, or a metric. */
void sf_usage_warn_mixed(const SfNode *n, const SfTensor *in, const SfShape *out, bool metric,
                         SfPhase phase, SfSink *sink);
/* The first run in which the inputs of `n` are surely mixed warns. */
void sf_usage_suspect(const SfNode *n, bool metric);

/* Called at each run of a session: SF508 when the same place has made nodes before each of many
 * runs (10; 3 when variables are among them). Initializers (NoOp) don't count. One warning a
 * loop. */
void sf_usage_check_growth(SfSession *s, SfSink *sink);

#endif
