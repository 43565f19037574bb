/* Fetches and feeds of Session.run, prepared once for each structure that a program repeats.
 * Invariant: a Prepared is found again by its tokens (types, lengths, identities of leaves and
 * keys), all of which it keeps alive; it holds a plan of its session.
 * Owner: the session's cache; a run in progress keeps a reference of its own.
 * Source: session._FetchMapper, session._FetchHandler. */
#ifndef SFPY_FETCH_H
#define SFPY_FETCH_H

#include "pymodule/ext/ext.h"

typedef enum SfpyFetchKind {
    SFPY_FETCH_TENSOR,
    SFPY_FETCH_OP,
    SFPY_FETCH_LIST,
    SFPY_FETCH_TUPLE,
    SFPY_FETCH_CLASS, /* namedtuple or attrs class: called with its fields */
    SFPY_FETCH_DICT,
    SFPY_FETCH_CUSTOM /* _sf_fetch(): its function is called with the list of values */
} SfpyFetchKind;

/* The structure of the fetches in prefix order: a node is followed by its `n` children. */
typedef struct SfpyFetch {
    SfpyFetchKind kind;
    int n;            /* children; for a tensor: its number among the unique fetches */
    PyObject *object; /* class, function, or list of keys; owned */
} SfpyFetch;

typedef struct SfpyPrepared {
    int refs;
    uint64_t hash;
    uintptr_t *tokens;
    int ntokens;
    PyObject *keep; /* list: everything a token points to */
    SfpyFetch *tree;
    int ntree, tree_cap;
    SfTensor *fetches;
    int *fed_by; /* parallel to fetches: number of the feed that replaces it, or -1 */
    SfNode **targets;
    int nfetch, ntarget, fetch_cap, target_cap;
    int nfeed;
    SfPlan *plan;  /* NULL: nothing has to run */
    uint64_t runs; /* begun, this one included */
    const SfShape *
        *before; /* of the feeds of the newest run without an error; NULL: there is none */
    uint64_t run_id;
    PyObject **scalars; /* immutable results of run `run_id`, parallel to fetches */
} SfpyPrepared;

/* The feeds of one run, flat: targets are tensors of the graph, values Python objects. Not copied:
 * the three arrays are those of `few` until there are more. */
#define SFPY_FEW_FEEDS 8
typedef struct SfpyFeeds {
    int n, cap;
    SfpyTensor **targets; /* references */
    PyObject **values;    /* references */
    SfFeed *feeds;
    struct {
        SfpyTensor *targets[SFPY_FEW_FEEDS];
        PyObject *values[SFPY_FEW_FEEDS];
        SfFeed feeds[SFPY_FEW_FEEDS];
    } few;
} SfpyFeeds;

#define SFPY_TOKENS 256
typedef struct SfpyTokens {
    uintptr_t t[SFPY_TOKENS]; /* the first `n` are set */
    int n;
    bool simple; /* false: something was met whose identity says too little */
} SfpyTokens;

static inline void sfpy_tokens_init(SfpyTokens *tokens)
{
    tokens->n = 0;
    tokens->simple = true;
}

/* Appends the tokens of a fetch structure; names are looked up in `graph`. 0 or -1. */
int sfpy_fetch_tokens(SfpyGraph *graph, PyObject *fetches, SfpyTokens *tokens);
void sfpy_feeds_init(SfpyFeeds *feeds);
/* Reads feed_dict: checks keys and values, converts. 0 or -1 with TensorFlow's exception. */
int sfpy_feeds_read(SfpyGraph *graph, PyObject *feed_dict, SfpyFeeds *out);
void sfpy_feeds_free(SfpyFeeds *feeds);
/* Prepares a structure, without a plan yet. NULL with TensorFlow's exception. */
SfpyPrepared *sfpy_prepare(SfpyGraph *graph, PyObject *fetches, const SfpyFeeds *feeds);
void sfpy_prepared_free(SfpyPrepared *p); /* drops one reference; NULL is fine */
/* source.c: elements that a run takes from Python */
typedef struct SfpySources {
    int n;
    PyObject **handlers, **elements, **errors; /* one block; element or error, never both */
    SfNode **nodes;
    bool *used;      /* by the run */
    int failed;      /* the one that the run failed at, or -1 */
    bool optional;   /* the run may leave some out */
    PyObject *given; /* borrowed: by operation its element, instead of its handler's; NULL: none */
} SfpySources;

/* Calls the handlers of the plan's sources and supplies core. 0 or -1 with what one raised. */
int sfpy_sources_take(SfpyWorkspace *ws, SfpyGraph *graph, SfPlan *plan, PyObject *session,
                      PyObject *feed_dict, SfpySources *out);
/* After the run: raises what the source that it failed at raised; gives back what was not used. */
int sfpy_sources_done(SfpyState *st, PyObject *session, SfpySources *sources);
/* By operation the element that it gave: a dict. */
PyObject *sfpy_sources_elements(SfpyGraph *graph, const SfpySources *sources);
/* Right after the run, before anything else may run the plan: notes what it used. */
void sfpy_sources_note(SfPlan *plan, SfpySources *sources);
void sfpy_sources_free(SfpySources *sources);

/* picture_runs.c: after a run that went well; only while st->run_records. */
void sfpy_note_run(SfpyState *st, const SfpyGraph *g, const SfpyPrepared *p,
                   const SfpyFeeds *feeds);

/* The value of the whole structure from what is known of each unique fetch. */
PyObject *sfpy_fetch_build(SfpyState *st, SfpyPrepared *p, const SfTensor *results,
                           const SfpyFeeds *feeds, bool memo_hit, uint64_t run_id);

#endif
