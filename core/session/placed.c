/* Sessions on a machine: the graph is placed before the first run, and again when it has changed.
 * TensorFlow places all of it, whatever is fetched. */
#include "core/graph/graph_impl.h"
#include "core/session/session_impl.h"
#include "lattice/intern.h"

void sf_session_set_machine(SfSession *s, const SfMachine *machine, bool soft)
{
    s->machine = machine;
    s->soft_placement = soft;
    s->placed_edits = 0;
}

const int16_t *sf_session_devices(const SfSession *s, int *n)
{
    *n = s->nplaced;
    return s->placed;
}

static SfStatus report(SfSession *s, const SfPlaceError *error, SfSink *sink)
{
    const SfDiagArg arg = SF_TEXT_ARG(error->message);
    return sf_run_report_at(s, error->node, NULL, error->location, SF_DIAG_PLACEMENT, &arg, 1,
                            error->message, sink);
}

SfStatus sf_session_place(SfSession *s, SfSink *sink)
{
    const int size = sf_graph_size(s->graph);
    const uint32_t edits = sf_graph_edits(s->graph) + 1;
    if (!s->machine || (s->placed_edits == edits && s->nplaced == size)) {
        return SF_OK;
    }
    int16_t *devices = sf_realloc(s->placed, ((size_t)size + 1) * sizeof *devices);
    if (!devices) {
        return SF_NOMEM;
    }
    s->placed = devices;
    s->placed_edits = edits;
    s->nplaced = size;
    SfPlaceError error;
    SfStatus status =
        sf_graph_place(s->graph, s->machine, s->soft_placement, &s->scratch, devices, &error);
    if (status == SF_REPORTED) {
        memset(devices, 0, (size_t)size * sizeof *devices);
        status = report(s, &error, sink);
        if (status == SF_REPORTED && sf_sink_goes_on(sink)) {
            status = SF_OK;
        }
    } else if (status != SF_OK) {
        s->placed_edits = 0;
    }
    sf_arena_reset(&s->scratch);
    return status;
}
