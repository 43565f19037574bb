/* Internal to core/analysis: the liveness of tensors, whatever program they are of.
 * Invariant: arrays by slot and by step are as long as the plan says; moments grow as time does.
 * Owner: the arena. Source: memory.h. */
#ifndef SF_CORE_MEMORY_IMPL_H
#define SF_CORE_MEMORY_IMPL_H

#include "core/analysis/memory.h"
#include "core/session/session_impl.h"

typedef struct SfLiveness SfLiveness;

/* Which part of a step runs at a moment. A product has two gradients; the one of its last factor
 * runs first. */
typedef enum SfPart { SF_PART_FORWARD, SF_PART_BACKWARD, SF_PART_BACKWARD_END } SfPart;

typedef struct SfOccasion {
    int32_t step;
    SfPart part;
} SfOccasion;

enum { SF_MEMORY_NONE = -1, SF_MEMORY_LOSSES = 64 };

/* A loop of which the plan holds a single turn: a while loop, or steps with the same
 * SfNodeContext.sequence_step. */
typedef struct SfMemoryLoop {
    const SfNode *step;      /* NULL: a while loop */
    int32_t at;              /* the step of node `step` in the plan */
    int32_t start, end;      /* of a while loop: its steps */
    int32_t around;          /* of a while loop: the loop that it is in, or SF_MEMORY_NONE */
    bool is_open;            /* of a while loop: nobody knows how many turns it takes */
    bool is_late;            /* gradients of many turns are there before they are added up */
    bool is_written;         /* what is trained goes from its turns into a TensorArray */
    int ncarried;            /* how many tensors go from turn to turn and are trained */
    int64_t turns, parallel; /* parallel: how many turns run at once at most */
    /* the moment when it has what it reads, and the last ones of its forward and its backward pass,
     * or SF_MEMORY_NONE */
    int32_t begins, forward_ends, ends;
} SfMemoryLoop;

/* What a while loop carries from turn to turn: slots. */
typedef struct SfCarried {
    int32_t enters, merged, comes_back;
} SfCarried;

struct SfLiveness {
    const SfPlan *p;
    SfArena *arena;
    SfArena scratch;
    SfMemory *m;
    SfMemoryTrial trial;
    int32_t *buffer;   /* per slot: its buffer, or SF_MEMORY_NONE */
    int32_t *grad;     /* per slot: the buffer of its gradient, or SF_MEMORY_NONE */
    int32_t *last;     /* per slot: the last moment that reads it */
    bool *is_read;     /* per slot: an op reads it in the forward pass, or it is asked for */
    bool *is_gathered; /* per slot: it is read by indices */
    int32_t *forward;  /* per step: the moment when it runs */
    int32_t *back;     /* per step: the first moment of its gradient, or SF_MEMORY_NONE */
    int32_t *back_end; /* per step: the last one */
    /* Eager code takes the gradient of a variable that nothing writes in each step: per moment the
     * next moment of the gradient of what no op makes, or SF_MEMORY_NONE. While buffers are placed
     * `back` is the one that comes next, and is_stale says that `grad` is of an earlier one. */
    int32_t *later;
    bool *is_stale;
    SfOccasion *part;   /* per moment */
    int32_t *slot_step; /* per slot: the step that makes it; NONE: a feed */
    bool *is_array;     /* per slot: a TensorArray that Python keeps; NULL: there is none */
    int32_t *loop;      /* per step: the loop that it is one turn of, or SF_MEMORY_NONE */
    /* per step: computed from what is trained; valid for one pass over the steps */
    bool *reached;
    bool *needed; /* per step: a loss is computed from it */
    SfMemoryLoop *loops;
    int nloops;
    SfCarried *carried;
    int ncarried;
    int32_t losses[SF_MEMORY_LOSSES];
    int nlosses;
    int32_t end; /* after the last moment */
    uint32_t polls;

    /* Of stretches of the program: by step the number of the innermost one that it is in, or NONE;
     * NULL: there are none. */
    const SfStretch *stretches;
    int32_t nstretches;
    /* the recomputed stretches are here: `stretches`, or those that a trial proposes */
    const SfStretch *cut;
    int32_t ncut;
    int32_t *function, *recomputed, *placed;
    int32_t
        *again; /* per slot: the last moment that reads what is computed again, or SF_MEMORY_NONE */

    /* Eager code. */
    void (*hold)(SfLiveness *l,
                 int32_t step); /* notes who else holds its outputs; NULL: a session */
    const SfTraceLog *log;
    bool *is_pruned; /* per step: nothing that a function gives needs it, so that it never runs */
    bool *is_elsewhere; /* per slot: needs no buffer, being a variable's content or read by no op */
    SfEagerState state;
};

/* Fills the moments, and when each step runs. */
SfStatus sf_memory_order(SfLiveness *l);
/* The step whose output is trained: where reading a variable, or a view of something, begins. */
int32_t sf_memory_origin(const SfLiveness *l, int32_t slot);
/* What the gradient of a step reads of it, of what a tape or a graph keeps for that. */
bool sf_memory_keeps_input(const SfLiveness *l, int32_t step, int input);
bool sf_memory_keeps_output(const SfLiveness *l, int32_t step, int output);
/* Is the step recorded by a tape of eager code? The tape, and Python, hold what a graph lets go. */
bool sf_memory_is_on_tape(const SfLiveness *l, int32_t step);
/* The last moment that reads the gradient that `step` gives to `from`. */
int32_t sf_memory_gradient_reader(const SfLiveness *l, int32_t step, int32_t from);
/* The stretches of a session's plan: one for each call of tf.recompute_grad. */
SfStatus sf_memory_find_recomputed(SfLiveness *l);
/* By step the number of the backward pass that has its gradient, or NONE: a program that takes
 * several steps has several, one after the other. How many steps each has goes into `counts`; gives
 * how many passes there are. */
int32_t sf_memory_number_passes(const SfLiveness *l, int32_t *pass, int32_t *counts);
/* The program's steps that belong to the one with the peak: *first to *end - 1. */
SfStatus sf_memory_find_step(SfLiveness *l, int32_t *first, int32_t *end);
/* As many stretches of the forward pass as the trial says, in the place of those of the program. */
SfStatus sf_memory_cut_segments(SfLiveness *l);
void sf_memory_place_recomputed(SfLiveness *l);
void sf_memory_place_half_copies(SfLiveness *l);
/* By record of a trace: does an op read it? NULL: no memory. */
bool *sf_memory_find_read(const SfTrace *t, SfArena *arena);
/* The outputs of all steps when what comes from outside has the batch of l->state. SF_REPORTED: it
 * does not go through. */
SfStatus sf_memory_infer_with_batch(SfLiveness *l, const SfTrace *t, SfPlan *p);
/* Fills l->is_pruned; needs the order. */
SfStatus sf_memory_prune(SfLiveness *l);
/* The input whose elements output 0 of a view is: of a TensorArray its flow, or what is written. */
int sf_memory_viewed_input(const SfStep *st);
/* What becomes the elements of a TensorArray: beside it are indices, or lengths. */
const SfTensor *sf_memory_scattered(const SfLiveness *l, const SfStep *st);
/* The role of a node; what Python's TensorArrays are made of has that of TensorFlow's ops. */
SfOpRole sf_memory_role(const SfNode *n);
/* Does it write into an array, or read from one? Its gradient reads a handle and indices alone. */
bool sf_memory_is_of_array(const SfNode *n);
/* Marks the slots that stand for such an array, not for a tensor of their own. */
SfStatus sf_memory_find_arrays(SfLiveness *l);
/* What an array held before a write it holds as long as after it. Needs all readers. */
void sf_memory_keep_written(SfLiveness *l);
/* Fills l->slot_step. */
void sf_memory_find_makers(const SfLiveness *l);
/* Where the plan has while loops: makes l->p the plan of one turn of each, in `one`, and fills
 * l->loops and l->carried. */
SfStatus sf_memory_open_loops(SfLiveness *l, SfPlan *one);
/* What the gradient of a step makes besides its results, at a moment of it. */
void sf_memory_place_temporaries(SfLiveness *l, int32_t step, int32_t at);
/* Completes l->loops; needs the order. */
SfStatus sf_memory_find_loops(SfLiveness *l);
/* How often a step runs, and whether nobody knows that. */
int64_t sf_memory_turns(const SfLiveness *l, int32_t step);
bool sf_memory_is_open(const SfLiveness *l, int32_t step);
/* The last moment at which a step that runs at moment `at` reads a slot: what a while loop reads
 * from outside it reads until its last turn. */
int32_t sf_memory_last_turn(const SfLiveness *l, int32_t step, int32_t slot, int32_t at);
/* Does the step begin the turns of a while loop that takes several? Then what it gives is a tensor
 * of the turn before. */
bool sf_memory_begins_turn(const SfLiveness *l, int32_t step);
/* The gradients of the turns that run at once, beside that of the first, of what a loop reads from
 * outside: they are added when all are there. Gives the moment until which that of the first waits
 * for the others, or SF_MEMORY_NONE. */
int32_t sf_memory_add_sums(SfLiveness *l, int32_t step, int32_t from, int64_t bytes);
/* Of what the backward pass of a while loop, or a TensorArray, keeps of a turn: that of the other
 * turns. Needs all buffers. */
SfStatus sf_memory_place_turns(SfLiveness *l);
/* Makes `b`, which holds the output `slot` of the step, what all turns of its loop leave. */
void sf_memory_keep_turns(const SfLiveness *l, int32_t step, int32_t slot, SfMemoryBuffer *b);
/* Is the slot what a step of a sequence reads of the turn before? Of the first turn it is made
 * outside, where it may have no gradient. */
bool sf_memory_is_carried(const SfLiveness *l, int32_t step, int32_t slot);
/* How many gradients of an output of step `from` exist at once. A loop that reads the output
 * from outside needs two: the gradient of the turn and the sum over the turns. */
int sf_memory_sums(const SfLiveness *l, int32_t step, int32_t from);
/* Fills l->m->copies. */
SfStatus sf_memory_copies(SfLiveness *l);
/* Fills l->m. The plan's session may be NULL: eager code. */
SfStatus sf_memory_find(SfLiveness *l);
void sf_memory_read_at(SfLiveness *l, int32_t slot, int32_t moment);
int64_t sf_memory_bytes(SfLiveness *l, const SfTensor *t); /* rounded */
int32_t sf_memory_add_buffer(SfLiveness *l, SfMemoryBuffer b);

#endif
