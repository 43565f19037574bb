/* What a run of a session holds in memory, tensor by tensor, in the order in which its steps
 * run. Invariant: a buffer is held from the step that makes it to the end of its last reader;
 * views and forwarded buffers are one buffer. The graph holds only the results of the backward
 * pass, so its steps are those of TensorFlow's gradient functions (backward.h). A tensor of
 * unknown size counts as nothing, and is_lower_bound says so. Owner: the arena that is given;
 * the plan must have run. Source: direct_session.cc, executor.cc,
 * OpKernelContext::forward_input_or_allocate_output. */
#ifndef SF_CORE_MEMORY_H
#define SF_CORE_MEMORY_H

#include "core/graph/trace.h"
#include "core/session/session.h"

typedef enum SfMemoryKind {
    SF_MEMORY_VARIABLE,
    SF_MEMORY_SLOT, /* of an optimizer */
    SF_MEMORY_CONSTANT,
    SF_MEMORY_FEED,
    SF_MEMORY_ACTIVATION, /* of the forward pass */
    SF_MEMORY_GRADIENT,
    SF_MEMORY_KINDS
} SfMemoryKind;

typedef struct SfMemoryBuffer {
    const SfNode *node; /* that made it; of a gradient, what it is the gradient of */
    int32_t output;
    int32_t born, dies; /* moments, both included */
    SfMemoryKind kind;
    int64_t bytes;
} SfMemoryBuffer;

typedef struct SfMemoryMoment {
    const SfNode *node; /* what runs */
    bool backward;      /* its gradient */
    int64_t bytes;      /* held while it runs */
} SfMemoryMoment;

/* Of a step, its backward one included; what is not known counts as nothing. */
typedef struct SfStepCost {
    const SfNode *node;
    double flops, moved; /* bytes read and written */
} SfStepCost;

/* A tensor that goes from one device to another, once for each device that reads it, and its
 * gradient back. */
typedef struct SfMemoryCopy {
    const SfNode *node;
    int32_t output;
    int16_t source, target; /* numbers of devices */
    int64_t bytes, back;    /* what has no known size: 0 */
} SfMemoryCopy;

typedef struct SfMemory {
    SfMemoryBuffer *buffers;
    int nbuffers;
    SfMemoryMoment *moments;
    int nmoments;
    int peak; /* the moment; -1: there is none */
    int64_t peak_bytes;
    int64_t parts[SF_MEMORY_KINDS]; /* at the peak */
    int64_t workspace;              /* NOT in the peak: an estimate for convolutions on GPUs */
    bool is_lower_bound;            /* something has no known size */
    double flops, moved; /* of the session's run, or the step of eager code with the peak */
    SfStepCost *costs;
    int ncosts;
    SfMemoryCopy *copies; /* of a session that was placed */
    int ncopies;
} SfMemory;

/* How to count. What is tried changes the account, not the program. */
typedef struct SfMemoryTrial {
    int64_t rounding; /* what each buffer is rounded up to (256 on GPUs, 1: as asked for) */
    bool half;        /* activations and feeds of float32 are in half precision, and each variable
                       * has a copy in it */
    int segments;     /* > 0: the forward pass in so many stretches, each computed again */
    bool no_slots;    /* the optimizer has none */
    int device; /* what is there alone, of a session that was placed and of eager code; < 0: all */
} SfMemoryTrial;

/* What a program of TensorFlow 2 holds beside the tensors of its trace. */
typedef struct SfEagerState {
    int64_t variables, slots; /* bytes, each rounded already */
    int64_t batch;            /* the one to infer all with; < 0: as it ran */
    int device;               /* where runs what the program does not place; < 0: nobody asks */
} SfEagerState;

/* The size of axis 0 that most of what comes from outside has; < 0: there is none. */
int64_t sf_trace_batch(const SfTrace *t);

/* The memory of eager code, of tapes and of the functions that it called, from its trace, whose log
 * says what Python held and when. SF_REPORTED: it does not go through with that batch. */
SfStatus sf_trace_memory(const SfTrace *t, SfEagerState state, SfMemoryTrial trial, SfArena *arena,
                         SfMemory *out);
SfStatus sf_plan_memory(const SfPlan *p, SfMemoryTrial trial, SfArena *arena, SfMemory *out);

#endif
