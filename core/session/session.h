/* Sessions: prune to the fetches, order topologically, re-infer with the fed shapes, memoise.
 * Invariant: a plan depends only on (fetches, fed tensors, graph size); a result only on the plan,
 * the fed shapes (and small integer contents) and the state it read. State belongs to the session.
 * Among nodes that are ready the oldest runs first; where TensorFlow leaves the order of a read and
 * a write open, a read that was written before the write sees the old content. A fetched reference
 * shows the content at the end of the run.
 * Owner: the session owns plans, results and state; tensors handed out are values.
 * Source: tf.compat.v1.Session.run; Verma and Su 2020, section 3.3. */
#ifndef SF_CORE_SESSION_H
#define SF_CORE_SESSION_H

#include "core/device/place.h"
#include "core/graph/graph.h"

typedef struct SfSession SfSession;
typedef struct SfStateTable SfStateTable;

SfSession *sf_session_new(SfGraph *g); /* NULL: no memory. The graph must outlive it. */
void sf_session_free(SfSession *s);

typedef struct SfPlan SfPlan;
/* Called as a session does things; analysis/usage.h has the one that takes notes and warns. */
typedef struct SfSessionObserver {
    void (*first_run)(const SfPlan *p);              /* p is about to run for the first time */
    void (*inferred)(const SfPlan *p, SfSink *sink); /* its steps were inferred, not replayed */
} SfSessionObserver;
/* Runs that are not the program's (a saver reads every variable) are not noted while off. */
void sf_session_set_noted(SfSession *s, bool on);
void sf_session_observe(SfSession *s, const SfSessionObserver *observer); /* static; NULL: none */

/* The machine that runs are for, which outlives the session; NULL, as at first: any, and nothing is
 * placed. `soft`: ConfigProto's allow_soft_placement. What cannot be placed is SF309, once. */
void sf_session_set_machine(SfSession *s, const SfMachine *machine, bool soft);
/* The device number of each of the first *n nodes, of the newest placement; NULL: none. */
const int16_t *sf_session_devices(const SfSession *s, int *n);

typedef struct SfFeed {
    SfTensor target;      /* whose output is replaced */
    const SfShape *shape; /* fully known in practice */
    const SfValue *value; /* NULL: content unknown or not small */
} SfFeed;

/* One call of session.run. `fetches` are tensors; `targets` nodes that only have to run.
 * results[i] is what is known of fetch i. On SF_REPORTED the sink has the finding; state written by
 * nodes that ran before the failing one stays written, as in TensorFlow. A placeholder that is
 * needed and not fed is SF303/SF306; an uninitialised variable SF302; a cycle SF304. */
SfStatus sf_session_run(SfSession *s, const SfTensor *fetches, int nfetch, SfNode *const *targets,
                        int ntarget, const SfFeed *feeds, int nfeed, SfSink *sink,
                        SfTensor *results);

/* A prepared (fetches, targets, fed tensors) triple: what a training loop repeats. The plan stays
 * valid while the session lives; a graph that grew in the meantime is noticed and re-planned. */
SfStatus sf_session_plan(SfSession *s, const SfTensor *fetches, int nfetch, SfNode *const *targets,
                         int ntarget, const SfTensor *fed, int nfed, SfSink *sink, SfPlan **out);
/* *memo_hit tells that nothing had to be inferred: results are identical to an earlier run's and
 * *run_id identifies that run's result (pymodule caches objects by it). */
SfStatus sf_plan_run(SfPlan *p, const SfFeed *feeds, int nfeed, SfSink *sink, SfTensor *results,
                     bool *memo_hit, uint64_t *run_id);

/* Sources are nodes whose outputs a run takes from its caller: the next element of an iterator, of
 * a queue with an end. Before sf_plan_run the caller supplies each source of the plan, in any
 * order; `outs` is one tensor an output (shape and value count), copied. NULL: there is none, and a
 * run that gets there gives SF_REPORTED without a diagnostic; sf_plan_source_failed says whose. A
 * source without a supply is inferred as any node. Supplies hold for one run. */
/* What was remembered of runs is forgotten: the next one infers. */
void sf_plan_forget(SfPlan *p);
/* Renews a plan that is out of date. */
SfStatus sf_plan_sources(SfPlan *p, SfSink *sink, int *count);
SfNode *sf_plan_source(const SfPlan *p, int i);
void sf_plan_supply(SfPlan *p, int i, const SfTensor *outs);
/* Of the newest run: did it get to source i (not in a branch that was not taken)? */
bool sf_plan_source_used(const SfPlan *p, int i);
int sf_plan_source_failed(const SfPlan *p); /* -1: none */
/* Did the newest run infer nothing, so that sf_plan_output tells of an older one? */
bool sf_plan_was_replayed(const SfPlan *p);
/* What output `output` of step i was in the newest run that was inferred. NULL: the step did not
 * run (a branch that was not taken, a loop that was left). */
const SfTensor *sf_plan_output(const SfPlan *p, int i, int output);
/* What the sources of the newest run were supplied with, all outputs of all of them. */
const SfTensor *sf_plan_supplies(const SfPlan *p, int *n);
bool sf_plan_has_flow(const SfPlan *p);       /* may leave sources out */
int sf_plan_size(const SfPlan *p);            /* nodes that run */
SfNode *sf_plan_node(const SfPlan *p, int i); /* in execution order */

/* State of one owner node (variable) in this session; false when it was never written. */
bool sf_session_state(const SfSession *s, const SfNode *owner, SfState *out);
SfStatus sf_session_set_state(SfSession *s, const SfNode *owner, const SfState *state);

typedef struct SfSessionStats {
    uint64_t runs, memo_hits, inferences;
} SfSessionStats;
SfSessionStats sf_session_stats(const SfSession *s);

#endif
