/* The state table of a session. See state.h. */
#include "core/op/state.h"

#include <string.h>

#include "lattice/hash.h"
#include "lattice/intern.h"

void sf_states_init(SfStateTable *t)
{
    *t = (SfStateTable){0};
}

void sf_states_free(SfStateTable *t)
{
    for (int i = 0; i < t->count; i++) {
        sf_free(t->entries[i]);
    }
    sf_free(t->entries);
    sf_free(t->owners);
    sf_index_free(&t->index);
    sf_free(t->touches);
    sf_free(t->writes);
    sf_states_init(t);
}

/* The array with room for one more element; NULL: no memory (the old one stays). */
static void *grown(void *array, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return array;
    }
    const int more = *capacity ? *capacity * 2 : 16;
    void *p = sf_realloc(array, (size_t)more * size);
    *capacity = p ? more : *capacity;
    return p;
}

static uint32_t owner_hash(const SfNode *owner)
{
    return sf_hash_fold(sf_hash_pointer(0, owner));
}

static SfStateEntry *entry_of(const SfStateTable *t, const SfNode *owner)
{
    const uint32_t hash = owner_hash(owner);
    uint32_t at = hash;
    for (int32_t i; (i = sf_index_next(&t->index, hash, &at)) >= 0;) {
        if (t->owners[i].owner == owner) {
            return t->owners[i].entry;
        }
    }
    return NULL;
}

/* The shared_name of a resource, NULL when it goes by its node alone. */
static const char *shared_name(const SfNode *owner)
{
    const SfAttr *a = sf_node_attr(owner, "shared_name");
    return a && a->type == SF_ATTR_STRING && a->u.s && a->u.s->len ? a->u.s->bytes : NULL;
}

static SfStateEntry *find_shared(const SfStateTable *t, const SfNode *owner, const char *name)
{
    for (int i = 0; name && i < t->count; i++) {
        SfStateEntry *e = t->entries[i];
        if (e->shared_name && e->sig == owner->sig && strcmp(e->shared_name, name) == 0) {
            return e;
        }
    }
    return NULL;
}

SfStateEntry *sf_states_entry(SfStateTable *t, const SfNode *owner)
{
    SfStateEntry *e = entry_of(t, owner);
    if (e) {
        return e;
    }
    struct SfStateOwner *owners = grown(t->owners, t->nowners, &t->owners_cap, sizeof *owners);
    if (!owners) {
        return NULL;
    }
    t->owners = owners;
    const char *name = shared_name(owner);
    e = find_shared(t, owner, name);
    if (!e) {
        SfStateEntry **entries = grown(t->entries, t->count, &t->capacity, sizeof(SfStateEntry *));
        if (!entries) {
            return NULL;
        }
        t->entries = entries;
        e = sf_calloc(1, sizeof *e);
        if (!e) {
            return NULL;
        }
        e->shared_name = name;
        e->sig = owner->sig;
        e->owner = owner;
        t->entries[t->count++] = e;
    }
    if (!sf_index_add(&t->index, owner_hash(owner), t->nowners)) {
        return NULL;
    }
    t->owners[t->nowners++] = (struct SfStateOwner){owner, e};
    return e;
}

const SfStateEntry *sf_states_find(const SfStateTable *t, const SfNode *owner)
{
    const SfStateEntry *e = entry_of(t, owner);
    return e || t->nowners == 0 ? e : find_shared(t, owner, shared_name(owner));
}

bool sf_state_same_form(const SfState *a, const SfState *b)
{
    return a->shape == b->shape && a->initialized == b->initialized && a->dtype == b->dtype &&
           !a->value == !b->value;
}

/* the log */

void sf_states_record(SfStateTable *t)
{
    t->recording = true;
    t->mark++;
    t->ntouch = 0;
    t->nwrite = 0;
    t->nomem = false;
    t->uncacheable = false;
}

void sf_states_stop(SfStateTable *t)
{
    t->recording = false;
}

static SfStateTouch *note_touch(SfStateTable *t, SfStateEntry *e)
{
    if (e->mark == t->mark) {
        return &t->touches[e->touch];
    }
    SfStateTouch *touches = grown(t->touches, t->ntouch, &t->touch_cap, sizeof *touches);
    if (!touches) {
        t->nomem = true;
        return NULL;
    }
    t->touches = touches;
    e->mark = t->mark;
    e->touch = t->ntouch;
    touches[t->ntouch] = (SfStateTouch){e, e->now, e->written, e->now.value};
    return &touches[t->ntouch++];
}

static void note_write(SfStateTable *t, SfStateEntry *e, const SfState *s)
{
    SfStateTouch *touch = note_touch(t, e);
    if (touch && s->value) {
        touch->valued = true;
    }
    SfStateWrite *writes = grown(t->writes, t->nwrite, &t->write_cap, sizeof *writes);
    if (!writes) {
        t->nomem = true;
        return;
    }
    t->writes = writes;
    t->writes[t->nwrite++] = (SfStateWrite){e, *s, t->step};
}

/* read and write */

static bool is_tracked(SfDtype t)
{
    t = sf_dtype_base(t);
    return sf_dtype_is_integer(t) || sf_dtype_is_bool(t) || t == SF_DT_STRING;
}

bool sf_states_read(SfStateTable *t, const SfNode *owner, SfState *out)
{
    SfStateEntry *e;
    if (t->recording) {
        e = sf_states_entry(t, owner); /* an entry that was never written must be noted as well */
        if (!e) {
            t->nomem = true;
            return false;
        }
        (void)note_touch(t, e);
        t->step_read_value = t->step_read_value || e->now.value;
    } else {
        e = (SfStateEntry *)sf_states_find(t, owner);
    }
    if (!e || !e->written) {
        return false;
    }
    *out = e->now;
    return true;
}

SfStatus sf_states_set(SfStateTable *t, SfStateEntry *e, const SfState *s)
{
    if (!e->written || !sf_state_same_form(&e->now, s)) {
        t->shape_epoch++;
    }
    t->nwritten += !e->written;
    e->now = *s;
    e->written = true;
    return SF_OK;
}

/* What holds after a branch that may or may not have written. */
static SfStatus join_states(const SfState *old, SfState *s)
{
    s->shape = sf_shape_join(old->shape, s->shape);
    s->value = sf_value_join(old->value, s->value);
    s->initialized = s->initialized || old->initialized;
    return s->shape ? SF_OK : SF_NOMEM;
}

SfStatus sf_states_write(SfStateTable *t, const SfNode *owner, const SfState *s)
{
    SfStateEntry *e = sf_states_entry(t, owner);
    SF_TRY_ALLOC(e);
    SfState next = *s;
    (void)sf_value_keep(next.value);
    if (!next.shape) {
        next.shape = sf_shape_unknown();
    }
    if (next.value && !is_tracked(sf_value_dtype(next.value))) {
        next.value = NULL;
    }
    if (t->guarded && e->written) {
        t->uncacheable = t->uncacheable || e->now.value;
        SF_TRY(join_states(&e->now, &next));
    }
    if (t->recording) {
        note_write(t, e, &next);
    }
    return sf_states_set(t, e, &next);
}
