/* The mutable state of one session: what each variable, queue or table holds now.
 * Invariant: only small integer, bool and string contents are kept as values (counters, flags,
 * global_step); of floats the shape alone, so that training does not change the state that a
 * memoised result depends on. Two owners of the same op and shared_name share one entry.
 * Owner: the session. Source: TensorFlow's ResourceMgr; Verma and Su 2020, figure 8. */
#ifndef SF_CORE_STATE_H
#define SF_CORE_STATE_H

#include "core/base/index.h"
#include "core/op/node.h"

typedef struct SfStateTable SfStateTable;

/* What is kept of a state owner during runs; in graph construction only declared_* is known. */
typedef struct SfState {
    const SfShape *shape; /* of the variable's content now */
    const SfValue *value;
    bool initialized;
    SfDtype dtype;
} SfState;

/* What `owner` holds; false when it was never written. */
bool sf_states_read(SfStateTable *t, const SfNode *owner, SfState *out);
SfStatus sf_states_write(SfStateTable *t, const SfNode *owner, const SfState *s);

/* for the session */
typedef struct SfStateEntry {
    const char *shared_name; /* NULL: belongs to one owner */
    const SfOpSig *sig;
    const SfNode *owner; /* the first one */
    SfState now;
    bool written;
    uint32_t mark; /* the recording that noted it last, in touches[touch] */
    int touch;
} SfStateEntry;

/* One line of the log: an entry that a node wrote. */
typedef struct SfStateWrite {
    SfStateEntry *entry;
    SfState state;
    int step; /* of the plan */
} SfStateWrite;

/* An entry and what it held before the run touched it. */
typedef struct SfStateTouch {
    SfStateEntry *entry;
    SfState before;
    bool was_written;
    bool valued; /* held, before or during the run, content that is tracked */
} SfStateTouch;

struct SfStateTable {
    SfStateEntry **entries; /* all of them, to free and to find shared names */
    int count, capacity;
    int nwritten; /* entries that were ever written */
    struct SfStateOwner {
        const SfNode *owner;
        SfStateEntry *entry;
    } * owners; /* found by their address */
    int nowners, owners_cap;
    SfIndex index;
    /* Moves when a shape, an initialisation or the presence of a value changes. */
    uint64_t shape_epoch;
    /* While > 0 a write may not happen (an undecided branch): it is joined with what was there. */
    int guarded;
    /* The log of the run that is being recorded; the session sets its step. */
    bool recording;
    uint32_t mark;
    int step;
    bool step_read_value; /* the current step read tracked content */
    SfStateTouch *touches;
    int ntouch, touch_cap;
    SfStateWrite *writes;
    int nwrite, write_cap;
    bool
        /* an undecided write over tracked content: its outcome depends on that content */
        uncacheable;
    bool nomem; /* the log is incomplete */
};

void sf_states_init(SfStateTable *t);
void sf_states_free(SfStateTable *t);
SfStateEntry *sf_states_entry(SfStateTable *t,
                              const SfNode *owner); /* made when new; NULL: no memory */
const SfStateEntry *sf_states_find(const SfStateTable *t,
                                   const SfNode *owner); /* NULL: never touched */
SfStatus sf_states_set(SfStateTable *t, SfStateEntry *e, const SfState *s);
/* Starts and ends the log. */
void sf_states_record(SfStateTable *t);
void sf_states_stop(SfStateTable *t);
bool sf_state_same_form(const SfState *a, const SfState *b); /* all but the value */

#endif
