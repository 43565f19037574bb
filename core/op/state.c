/* The state table of a session. See state.h. */
#include "core/op/state.h"

#include <string.h>

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
    sf_free(t->slots);
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
    const uint64_t h = (uint64_t)(uintptr_t)owner * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 32);
}

static struct SfStateSlot *find_slot(const SfStateTable *t, const SfNode *owner)
{
    uint32_t i = owner_hash(owner) & t->mask;
    while (t->slots[i].owner && t->slots[i].owner != owner) {
        i = (i + 1) & t->mask;
    }
    return &t->slots[i];
}

static bool grow_slots(SfStateTable *t)
{
    if (t->slots && (t->used + 1) * 4 <= t->mask * 3) {
        return true;
    }
    const uint32_t size = t->slots ? (t->mask + 1) * 2 : 64;
    struct SfStateSlot *old = t->slots;
    const uint32_t old_size = old ? t->mask + 1 : 0;
    struct SfStateSlot *slots = sf_calloc(size, sizeof *slots);
    if (!slots) {
        return false;
    }
    t->slots = slots;
    t->mask = size - 1;
    for (uint32_t i = 0; i < old_size; i++) {
        if (old[i].owner) {
            *find_slot(t, old[i].owner) = old[i];
        }
    }
    sf_free(old);
    return true;
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
    if (!grow_slots(t)) {
        return NULL;
    }
    struct SfStateSlot *slot = find_slot(t, owner);
    if (slot->owner) {
        return slot->entry;
    }
    const char *name = shared_name(owner);
    SfStateEntry *e = find_shared(t, owner, name);
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
    *slot = (struct SfStateSlot){owner, e};
    t->used++;
    return e;
}

const SfStateEntry *sf_states_find(const SfStateTable *t, const SfNode *owner)
{
    if (!t->slots) {
        return NULL;
    }
    const struct SfStateSlot *slot = find_slot(t, owner);
    return slot->owner ? slot->entry : find_shared(t, owner, shared_name(owner));
}

bool sf_state_same_form(const SfState *a, const SfState *b)
{
    return a->shape == b->shape && a->initialized == b->initialized && a->dtype == b->dtype &&
           (a->value != NULL) == (b->value != NULL);
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
    touches[t->ntouch] = (SfStateTouch){e, e->now, e->written, e->now.value != NULL};
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
        e = sf_states_entry(t, owner); /* what was not written must be noted too */
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

SfStatus sf_states_put(SfStateTable *t, SfStateEntry *e, const SfState *s)
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
    if (!e) {
        return SF_NOMEM;
    }
    SfState next = *s;
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
    return sf_states_put(t, e, &next);
}
