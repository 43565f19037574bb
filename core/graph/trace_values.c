/* What a trace knows of numbers. See trace_values.h. */
#include "core/graph/trace_values.h"

#include <math.h>
#include <string.h>

#include "lattice/hash.h"
#include "lattice/intern.h"

enum { MOST_RECORDS = 64, FIRST_KNOWN = 2 };

/* Of one record. */
typedef struct SfTraceValue {
    int32_t writes; /* 1 + its place; 0: none */
    int32_t moment; /* when it was recorded last */
    bool has_content, is_unknown, is_of_values;
    SfInterval content;
} SfTraceValue;

void sf_trace_values_free(SfTraceValues *v)
{
    for (int32_t i = 0; v && i < v->nwrites; i++) {
        sf_free(v->writes[i].from);
    }
    if (v) {
        sf_free(v->writes);
        sf_index_free(&v->index);
        sf_free(v->nodes);
        sf_free(v);
    }
}

static bool grow(void **items, int32_t *capacity, int32_t need, size_t size)
{
    if (need <= *capacity) {
        return true;
    }
    const int32_t wanted = need > INT32_MAX / 2 ? need : 2 * need + 64;
    char *grown = sf_realloc(*items, (size_t)wanted * size);
    if (!grown) {
        return false;
    }
    memset(grown + (size_t)*capacity * size, 0, (size_t)(wanted - *capacity) * size);
    *items = grown;
    *capacity = wanted;
    return true;
}

static SfTraceValue *entry(SfTraceValues *v, int32_t node)
{
    return grow((void **)&v->nodes, &v->nnodes, node + 1, sizeof *v->nodes) ? &v->nodes[node]
                                                                            : NULL;
}

static const SfTraceValue *known(const SfTraceValues *v, int32_t node)
{
    return v && node < v->nnodes ? &v->nodes[node] : NULL;
}

/* variables */

const SfWrites *sf_trace_values_writes(const SfTraceValues *v, int32_t node)
{
    const SfTraceValue *e = known(v, node);
    return e && e->writes ? &v->writes[e->writes - 1] : NULL;
}

static uint32_t hash_place(int32_t root, const SfOpSig *by, uint32_t location)
{
    return sf_hash_fold(sf_hash_pointer(sf_hash_mix((uint64_t)root, location), by));
}

SfWrites *sf_trace_values_find(SfTraceValues *v, int32_t root, const SfOpSig *by, uint32_t location)
{
    const uint32_t hash = hash_place(root, by, location);
    uint32_t at = hash;
    for (int32_t i; (i = sf_index_next(&v->index, hash, &at)) >= 0;) {
        SfWrites *w = &v->writes[i];
        if (w->root == root && w->by == by && w->location == location) {
            return w;
        }
    }
    return NULL;
}

SfWrites *sf_trace_values_add(SfTraceValues *v, int32_t root, const SfOpSig *by, uint32_t location,
                              int32_t node)
{
    SfTraceValue *e = entry(v, node);
    if (!e || !grow((void **)&v->writes, &v->write_capacity, v->nwrites + 1, sizeof *v->writes) ||
        !sf_index_add(&v->index, hash_place(root, by, location), v->nwrites)) {
        return NULL;
    }
    SfWrites *w = &v->writes[v->nwrites++];
    *w = (SfWrites){
        .root = root, .node = node, .by = by, .location = location, .known = sf_interval_none()};
    e->writes = v->nwrites;
    return w;
}

/* A few contents stand for all that a loop which was cut short would have written: what grew goes
 * on growing, but no count of steps overflows. */
static void write_content(SfWrites *w, SfInterval now, SfDtype t)
{
    const SfInterval all = sf_interval_join(w->known, now);
    if (sf_interval_equal(all, w->known)) {
        return;
    }
    w->known = ++w->nknown <= FIRST_KNOWN ? all : sf_interval_widen(w->known, all, t);
    if (sf_dtype_is_integer(t)) {
        w->known = sf_interval_countable(w->known, t);
    }
}

void sf_trace_values_write(SfWrites *w, const SfNode *from, int output, const SfTensor *value)
{
    SfInterval now;
    if (sf_interval_of_value(value->value, &now)) {
        write_content(w, now, sf_dtype_base(value->dtype));
        return;
    }
    for (int32_t i = 0; from && i < w->nfrom; i++) {
        if (w->from[i].node == from && w->from[i].output == output) {
            return;
        }
    }
    if (!from || w->nfrom == MOST_RECORDS ||
        !grow((void **)&w->from, &w->capacity, w->nfrom + 1, sizeof *w->from)) {
        w->any = true;
        return;
    }
    w->from[w->nfrom++] = (SfNodeOutput){from, output};
}

/* content */

void sf_trace_values_step(SfTraceValues *v, uint32_t location)
{
    v->moment += v->place != location || v->moment == 0;
    v->place = location;
}

bool sf_trace_values_is_taken(const SfTraceValues *v, int32_t node)
{
    const SfTraceValue *e = known(v, node);
    return e && e->moment == v->moment;
}

bool sf_trace_values_is_alike(const SfTraceValues *v, int32_t node)
{
    const SfTraceValue *e = known(v, node);
    return e && e->is_unknown != v->has_next && e->is_of_values == v->next_is_value;
}

double sf_trace_values_widening(const SfTraceValues *v, int32_t node)
{
    const SfTraceValue *e = known(v, node);
    if (!e || !e->has_content || !v->has_next) {
        return 0;
    }
    const SfInterval all = sf_interval_join(e->content, v->next);
    const double more = (all.hi - all.lo) - (e->content.hi - e->content.lo);
    return isnan(more) ? INFINITY : more; /* infinite before and after, or empty before */
}

void sf_trace_values_note(SfTraceValues *v, int32_t node)
{
    SfTraceValue *e = entry(v, node);
    if (e) {
        e->moment = v->moment;
        e->is_of_values = v->next_is_value;
    }
    if (e && v->has_next) {
        e->content = e->has_content ? sf_interval_join(e->content, v->next) : v->next;
        e->has_content = true;
    } else if (e) {
        e->is_unknown = true;
    }
}

bool sf_trace_values_content(const SfTraceValues *v, int32_t node, SfInterval *out)
{
    const SfTraceValue *e = known(v, node);
    if (!e || !e->has_content || e->is_unknown) {
        return false;
    }
    *out = e->content;
    return true;
}
