/* Who holds what a trace has recorded: of each eager tensor the moment when its last Python object
 * went, and the stretches of the trace that ran as a function, are recomputed or were placed.
 * Invariant: moments are sizes of the trace; numbers are those of sf_trace_record. While there is a
 * log each call is a record of its own. Without memory the log knows less: tensors seem to be held
 * until their last reader.
 * Owner: the trace. Source: EagerTensor's lifetime in python/eager/pywrap_tensor.cc. */
#ifndef SF_CORE_TRACE_LOG_H
#define SF_CORE_TRACE_LOG_H

#include <stdbool.h>
#include <stdint.h>

typedef enum SfStretchKind {
    SF_STRETCH_FUNCTION,   /* runs as a graph: a tensor is held to its last reader */
    SF_STRETCH_RECOMPUTED, /* the backward pass runs it again: nothing inside is kept for it */
    SF_STRETCH_PLACED      /* runs on `devices` */
} SfStretchKind;

typedef struct SfStretch {
    int32_t first, end; /* records, end not included */
    SfStretchKind kind;
    uint64_t
        devices; /* bit i: device i of the machine, the last one for all above; 0: the default */
} SfStretch;

typedef struct SfHeld {
    int32_t objects; /* of Python, now */
    int32_t gone;    /* the moment when the last one went; 0: some are there, or never were */
    bool is_state;   /* content of a variable */
    bool is_given;   /* by a function */
    int32_t written; /* of new content the number that was written to the variable; 0: none */
} SfHeld;

typedef struct SfTraceLog {
    SfHeld *held; /* by number */
    int32_t nheld;
    SfStretch *stretches; /* in the order of their ends */
    int32_t nstretches, stretch_capacity;
} SfTraceLog;

/* What is known of a number; NULL: nothing. */
const SfHeld *sf_trace_log_held(const SfTraceLog *log, int32_t number);
void sf_trace_log_hold(SfTraceLog *log, int32_t number);
void sf_trace_log_drop(SfTraceLog *log, int32_t number, int32_t moment);
void sf_trace_log_state(SfTraceLog *log, int32_t number);
void sf_trace_log_give(SfTraceLog *log, int32_t number);
void sf_trace_log_write(SfTraceLog *log, int32_t number, int32_t written);
void sf_trace_log_stretch(SfTraceLog *log, SfStretch stretch);
void sf_trace_log_free(SfTraceLog *log);

#endif
