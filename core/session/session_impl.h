/* Internal to core/: sessions, plans and their steps.
 * Invariant: slots 0..nfed-1 are the feeds, then the outputs of the steps in order; a step reads
 * slots of feeds and of earlier steps only, but for a Merge that reads its NextIteration.
 * Owner: the session owns its plans; a plan's arena holds its program, its memo arena the results.
 * Source: direct_session.cc, graph/subgraph.cc, executor.cc, graph/control_flow.cc. */
#ifndef SF_CORE_SESSION_IMPL_H
#define SF_CORE_SESSION_IMPL_H

#include "core/session/session.h"
#include "core/base/interrupt.h"
#include "core/op/state.h"

typedef enum SfStepKind {
    SF_STEP_PLAIN,
    SF_STEP_PLACEHOLDER, /* needed and not fed: running it is an error */
    SF_STEP_FORWARD,     /* output 0 is input 0: PlaceholderWithDefault, Enter, NextIteration... */
    SF_STEP_SWITCH,
    SF_STEP_MERGE,
    SF_STEP_LOOP_COND,
    SF_STEP_SOURCE /* its outputs are supplied */
} SfStepKind;

enum {
    SF_STEP_HANDLES = 1 << 0,   /* has an input that is a reference or a resource */
    SF_STEP_REFS_OUT = 1 << 1,  /* has a reference output */
    SF_STEP_BACK_EDGE = 1 << 2, /* a Merge that some NextIteration leads back to */
    SF_STEP_UNINIT_OK = 1 << 3,
    SF_STEP_LOOP_SWITCH = 1 << 4 /* its predicate is a LoopCond */
};

typedef struct SfStep {
    SfNode *node;
    const int32_t *in;      /* slots */
    const int32_t *control; /* steps; only kept in plans with control flow */
    int32_t out;            /* first slot of its outputs */
    int32_t ncontrol;
    uint8_t kind, flags;
} SfStep;

/* What the caller supplied for a source step. */
typedef enum SfSupplied { SF_SUPPLY_NOTHING, SF_SUPPLY_GIVEN, SF_SUPPLY_ENDED } SfSupplied;
typedef struct SfSource {
    int32_t step;
    int32_t first; /* its first place in `supply` */
    SfSupplied supplied;
    bool used;
} SfSource;

enum { SF_LOOPS_DEEP = 64 }; /* loops in loops that a run follows; beyond, they are flat */

/* The steps of one while loop, nested loops included. */
typedef struct SfLoopFrame {
    int32_t start, end;
    int32_t depth; /* 1 for an outermost loop */
    int32_t nmerges;
    int32_t *merges; /* steps: its own Merges with a back edge */
    int32_t cond;    /* step of its LoopCond, or -1 */
} SfLoopFrame;

typedef struct SfMemo SfMemo;
#define SF_MEMO_BUCKETS 64

struct SfPlan {
    SfSession *session;
    SfPlan *next; /* in its bucket of the session */
    uint64_t hash;
    bool noted;     /* by usage.c */
    bool pinned;    /* handed out: lives as long as the session */
    uint32_t edits; /* of the graph when it was made */

    SfArena key_arena; /* what it was asked for */
    SfTensor *fetches;
    SfNode **targets;
    SfTensor *fed;
    bool *feed_value; /* is the content of this feed part of what inference sees? */
    int nfetch, ntarget, nfed;

    SfArena arena; /* the program; all below */
    SfStep *steps;
    int nsteps, nslots, max_inputs;
    int32_t *fetch_slots;
    int32_t *fetch_refs; /* per fetch: the slot of the reference whose buffer it shares, or -1 */
    bool has_flow;
    bool flat_loops;   /* loops of one name that depend on each other, or are nested too deep: their
                      * Merges keep their static shape */
    SfSource *sources; /* NULL without any */
    SfTensor *supply;  /* what inference sees of all their outputs: part of what a record keys on */
    const SfValue **supply_values; /* contents as given, for fetches */
    int nsources, nsupply;
    int failed_source; /* -1: none */
    SfLoopFrame *loop_frames;
    int nloop_frames;
    int32_t *loop_frame_at; /* per step: the loop_frame that starts here, outermost first, or -1 */

    /* Of the newest run that was inferred, not answered by the memo. */
    bool replayed; /* the memo has answered a newer run */
    SfTensor *slots;
    SfTensor *inputs; /* of the step that runs */
    int16_t *guard;   /* per slot: number of undecided branches around it; SF_DEAD */
    int16_t *step_guard;
    bool *merge_held;           /* per step: this Merge was set by the loop that runs */
    bool *state_dependent_slot; /* content depends on content of state */
    bool *state_dependent_step;

    SfArena memo_arena;
    SfMemo *memos[SF_MEMO_BUCKETS];
    SfMemo *last_memo;
    int nmemos;
    SfTensor *replay_outs; /* outputs of a step that is inferred again; max_outputs long */
    int max_outputs;
};
#define SF_DEAD (-1)

struct SfSession {
    SfGraph *graph;
    SfStateTable states;
    SfArena scratch;
    SfPlan **plans; /* buckets */
    int nloose;     /* plans that may be dropped */
    int32_t *local; /* per node of the graph: its number in the plan being made, or -1 */
    int local_size;
    uint64_t next_run;
    SfSessionStats stats;
    bool seen_variable;                /* a variable op has run: the resource container exists */
    const SfSessionObserver *observer; /* may be NULL */
    bool unnoted;                      /* runs are not noted (usage.h) */
    int grown_from;                    /* size of the graph at the newest run; 0: there was none */
    struct SfGrowth *growth;           /* usage.c; NULL until the graph has grown between runs */
    const SfMachine *machine;          /* NULL: any */
    bool soft_placement;
    int16_t *placed; /* per node: its device */
    int nplaced;
    uint32_t placed_edits;  /* of the graph when it was placed, and one; 0: never */
    uint32_t checked_edits; /* of the graph when it was last found to have no cycle */
};

/* placed.c */
SfStatus sf_session_place(SfSession *s, SfSink *sink);

/* plan.c, plan_order.c */
/* Prunes and orders; SF304 when there is a cycle. */
SfStatus sf_plan_make(SfPlan *p, SfSink *sink);
bool sf_plan_is_fed(const SfPlan *p, const SfNode *n, int output);

/* What plan_order.c works on: the pruned nodes in ascending id and the edges among them. */
typedef struct SfPrune {
    SfPlan *plan;
    SfArena *arena;
    SfNode **nodes;
    int n;
    const int32_t *local; /* by node id */
    int32_t *order;       /* result: locals in execution order */
    bool has_loops;
} SfPrune;
SfStatus sf_plan_order(SfPrune *r, SfSink *sink);
/* SF304 when there is a cycle anywhere in the graph, needed or not: TensorFlow runs nothing then.
 */
SfStatus sf_graph_check_cycles(SfSession *s, SfSink *sink);
/* The producer of input i when it is part of the plan, and of control input i when that counts. */
SfNode *sf_plan_data_dep(const SfPlan *p, const SfNode *n, int i);
SfNode *sf_plan_control_dep(const SfPlan *p, const SfNode *n, int i);
bool sf_node_is_back_edge(const SfNode *n, int input);

/* run.c */
typedef struct SfRun {
    SfPlan *plan;
    SfSession *session;
    SfSink *sink;
    int depth; /* of loops */
    int wide;  /* depth of the outermost loop that is widened (its predicate is undecided), or 0 */
    /* Steps that may still run inside of loops: passes multiply with each level. When none are
     * left, the outermost loop runs once more, and all after it once, with static shapes. */
    int64_t loop_steps_left;
    bool static_loops;
    uint32_t polls;   /* for sf_interrupt_wanted */
    bool uncacheable; /* what ran depends on content of state: do not memoise */
    bool
        *follows; /* per slot: computed from what failed; NULL until a run goes on after an error */
} SfRun;
SfStatus sf_run_steps(SfRun *r, int from, int to);
/* One op with concrete inputs; what it leaves open is filled in from its static shape. */
SfStatus sf_run_infer(SfSession *s, SfNode *n, const SfTensor *inputs, SfTensor *outs,
                      SfSink *sink);
/* Replaces what a reference input was by what it is now; SF302 when it is not initialised and the
 * step minds. `undecided`: the step may not run at all, so nothing is reported. */
SfStatus sf_run_handles(SfSession *s, const SfNode *n, unsigned flags, SfTensor *inputs,
                        bool undecided, SfSink *sink);
/* Forgets floating contents that follow from state: a learning rate that decays with global_step
 * would make every repetition of a training step infer all the updates again. */
void sf_run_drop_floats(const SfNode *n, SfTensor *outs);
void sf_run_refresh_refs(SfSession *s, const SfNode *n, SfTensor *outs);
/* A finding of the session about a node, with the error context of the emulated version. */
SfStatus sf_run_report(SfSession *s, const SfNode *n, const char *as_name, SfDiagCode code,
                       const SfDiagArg *args, int nargs, const char *message, SfSink *sink);
/* The same, where the finding is about another line than the one that made the node. */
SfStatus sf_run_report_at(SfSession *s, const SfNode *n, const char *as_name, uint32_t location,
                          SfDiagCode code, const SfDiagArg *args, int nargs, const char *text,
                          SfSink *sink);

/* source.c */
/* Lists the source steps of a program that is written. */
SfStatus sf_plan_find_sources(SfPlan *p);
SfStatus sf_run_source(SfRun *r, int step, bool undecided, bool *supplied);
/* Fetched outputs of sources come back as they were given; true when some content was. */
bool sf_plan_return_supplies(const SfPlan *p, SfTensor *results);

/* flow.c */
SfStatus sf_run_switch(SfRun *r, int step);
SfStatus sf_run_merge(SfRun *r, int step);
void sf_run_forward(SfRun *r, int step, int output); /* output `output` becomes input 0 */
SfStatus sf_run_loop_frame(SfRun *r, int loop_frame);
/* Guard of a step from its inputs and control inputs. */
int16_t sf_run_guard(const SfRun *r, int step);
void sf_run_kill(SfRun *r, int step);

/* memo.c */
/* A recorded run that these feeds repeat: SF_OK with *hit; the state-dependent slice has run. */
SfStatus sf_memo_replay(SfPlan *p, const SfFeed *feeds, SfTensor *results, bool *hit, bool *same,
                        uint64_t *run_id);
void sf_memo_store(SfPlan *p, const SfFeed *feeds, const SfTensor *results, uint64_t run_id);
void sf_memo_clear(SfPlan *p);

/* feed.c */
SfStatus sf_feed_check(const SfPlan *p, const SfFeed *feeds, SfSink *sink);
bool sf_feed_value_counts(SfDtype t); /* is content of this dtype part of what inference sees? */

#endif
