/* Who holds what a trace has recorded. See trace_log.h. */
#include "core/graph/trace_log.h"

#include <string.h>

#include "lattice/intern.h"

const SfHeld *sf_trace_log_held(const SfTraceLog *log, int32_t number)
{
    return number > 0 && number < log->nheld ? &log->held[number] : NULL;
}

/* NULL: no memory, or no number. */
static SfHeld *entry(SfTraceLog *log, int32_t number)
{
    if (number <= 0) {
        return NULL;
    }
    if (number >= log->nheld) {
        const int32_t wanted = number < INT32_MAX / 2 ? 2 * number + 256 : number + 1;
        SfHeld *grown = sf_realloc(log->held, (size_t)wanted * sizeof *grown);
        if (!grown) {
            return NULL;
        }
        memset(grown + log->nheld, 0, (size_t)(wanted - log->nheld) * sizeof *grown);
        log->held = grown;
        log->nheld = wanted;
    }
    return &log->held[number];
}

void sf_trace_log_hold(SfTraceLog *log, int32_t number)
{
    SfHeld *held = entry(log, number);
    if (held) {
        held->objects++;
        held->gone = 0;
    }
}

void sf_trace_log_drop(SfTraceLog *log, int32_t number, int32_t moment)
{
    SfHeld *held = number > 0 && number < log->nheld ? &log->held[number] : NULL;
    if (held && held->objects > 0 && --held->objects == 0) {
        held->gone = moment;
    }
}

void sf_trace_log_state(SfTraceLog *log, int32_t number)
{
    SfHeld *held = entry(log, number);
    if (held) {
        held->is_state = true;
    }
}

void sf_trace_log_give(SfTraceLog *log, int32_t number)
{
    SfHeld *held = entry(log, number);
    if (held) {
        held->is_given = true;
    }
}

void sf_trace_log_write(SfTraceLog *log, int32_t number, int32_t written)
{
    SfHeld *held = entry(log, number);
    if (held) {
        held->written = written;
    }
}

void sf_trace_log_stretch(SfTraceLog *log, SfStretch stretch)
{
    if (log->nstretches == log->stretch_capacity) {
        const int32_t wanted = 2 * log->stretch_capacity + 16;
        SfStretch *grown = sf_realloc(log->stretches, (size_t)wanted * sizeof *grown);
        if (!grown) {
            return;
        }
        log->stretches = grown;
        log->stretch_capacity = wanted;
    }
    log->stretches[log->nstretches++] = stretch;
}

void sf_trace_log_free(SfTraceLog *log)
{
    if (log) {
        sf_free(log->held);
        sf_free(log->stretches);
        sf_free(log);
    }
}
