/* Feeds: their check against the static shape (Session.run does it before anything runs). */

#include "core/graph/graph_impl.h"
#include "core/op/port.h"
#include "core/session/session_impl.h"

bool sf_feed_value_counts(SfDtype t)
{
    t = sf_dtype_base(t);
    return sf_dtype_is_integer(t) || sf_dtype_is_bool(t) || t == SF_DT_STRING;
}

/* As TensorShape.is_compatible_with: symbols are no constraint. */
static bool fits(const SfShape *fixed, const SfShape *fed)
{
    if (!sf_shape_is_ranked(fixed) || !sf_shape_is_ranked(fed)) {
        return true;
    }
    const int rank = sf_shape_rank(fixed);
    if (rank != sf_shape_rank(fed)) {
        return false;
    }
    for (int i = 0; i < rank; i++) {
        const SfDim a = sf_shape_dim(fixed, i);
        const SfDim b = sf_shape_dim(fed, i);
        if (sf_dim_is_known(a) && sf_dim_is_known(b) && a != b) {
            return false;
        }
    }
    return true;
}

static SfStatus report_shape(const SfPlan *p, const SfFeed *feed, SfSink *sink)
{
    const SfNode *n = feed->target.node;
    const SfTensor *t = &n->outputs[feed->target.index];
    const SfGraph *g = p->session->graph;
    SfArena *a = &p->session->scratch;
    char fed[1024], fixed[1024];
    sf_shape_format_tuple(feed->shape, g->v2_shapes, fed, sizeof fed);
    sf_shape_format_tuple(t->shape, g->v2_shapes, fixed, sizeof fixed);
    const bool quoted = g->version < SF_VERSION(2, 7);
    const char *name = sf_arena_printf(a, quoted ? "'%s:%d'" : "%s:%d", n->name, (int)t->index);
    SF_TRY_ALLOC(name);
    const char *quote = quoted ? "'" : "";
    const char *message =
        sf_arena_printf(a, "Cannot feed value of shape %s for Tensor %s, which has shape %s%s%s",
                        fed, name, quote, fixed, quote);
    SF_TRY_ALLOC(message);
    const SfDiagArg args[] = {SF_SHAPE_ARG(feed->shape), SF_TEXT_ARG(name), SF_SHAPE_ARG(t->shape)};
    const SfPlace place = SF_OUTPUT(t->index);
    const SfDiagOperand operand = sf_operand(n->name, t);
    return sf_sink_report(sink, &(SfDiag){.code = SF_DIAG_FEED_SHAPE,
                                          .phase = SF_PHASE_API,
                                          SF_DIAG_OF(n),
                                          .nplaces = 1,
                                          .places = &place,
                                          .nargs = 3,
                                          .args = args,
                                          .noperands = 1,
                                          .operands = &operand,
                                          .message = message});
}

SfStatus sf_feed_check(const SfPlan *p, const SfFeed *feeds, SfSink *sink)
{
    for (int i = 0; i < p->nfed; i++) {
        const SfTensor *t = &feeds[i].target.node->outputs[feeds[i].target.index];
        if (!fits(t->shape, feeds[i].shape)) {
            const SfStatus status = report_shape(p, &feeds[i], sink);
            sf_arena_reset(&p->session->scratch);
            return status;
        }
    }
    return SF_OK;
}
