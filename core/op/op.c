/* The registry of ops: by name and by number.
 * Invariant: entries and their signatures never move; an entry is parsed at most once, and its
 * signature is complete before the lock is given back.
 * Owner: one global registry behind one mutex, until sf_ops_reset.
 * Source: tensorflow/core/framework/op.h (OpRegistry), which also defers its work to first use. */
#include "core/op/op.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/base/index.h"
#include "lattice/hash.h"
#include "lattice/intern.h"

typedef struct OpEntry {
    const SfOpDef *def;
    int id;
    SfOpSig *sig;
    bool broken; /* its signature does not parse */
} OpEntry;

static struct {
    pthread_mutex_t lock;
    SfArena arena;
    SfIndex by_name;
    OpEntry **by_id;
    OpEntry *unmodelled;
    int count, room;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The op that each place in memory named last: compositions name theirs by literals, and find them
 * here without the lock. An address says nothing by itself, so the name is compared. */
enum { RECENT_BITS = 10 };
static const SfOpSig *_Atomic recent[1 << RECENT_BITS];

/* All below: locked. */
static bool make_room(void)
{
    if (registry.count < registry.room) {
        return true;
    }
    const int room = registry.room == 0 ? 512 : registry.room * 2;
    OpEntry **grown = sf_realloc(registry.by_id, (size_t)room * sizeof(OpEntry *));
    if (!grown) {
        return false;
    }
    registry.by_id = grown;
    registry.room = room;
    return true;
}

static uint32_t hash_of(const char *name)
{
    return sf_hash_fold(sf_hash_text(name, strlen(name), 0));
}

static OpEntry *find_entry(const char *name)
{
    const uint32_t hash = hash_of(name);
    uint32_t at = hash;
    for (int32_t id; (id = sf_index_next(&registry.by_name, hash, &at)) >= 0;) {
        if (strcmp(registry.by_id[id]->def->name, name) == 0) {
            return registry.by_id[id];
        }
    }
    return NULL;
}

static bool add_entry(const SfOpDef *def)
{
    const OpEntry *known = find_entry(def->name);
    if (known) {
        assert(known->def == def && "an op is defined twice");
        return true;
    }
    OpEntry *entry = make_room() ? sf_arena_alloc(&registry.arena, sizeof(*entry)) : NULL;
    if (!entry) {
        return false;
    }
    entry->def = def;
    entry->id = registry.count;
    if (!sf_index_add(&registry.by_name, hash_of(def->name), entry->id)) {
        return false;
    }
    registry.by_id[registry.count++] = entry;
    if (def->traits & SF_OP_UNMODELLED) {
        registry.unmodelled = entry;
    }
    return true;
}

static const SfOpSig *parsed(OpEntry *entry)
{
    if (entry && !entry->sig && !entry->broken) {
        const char *error = NULL;
        /* sf_op_parse promises const to its callers; here the number is still to be set. */
        SfOpSig *sig = (SfOpSig *)sf_op_parse(entry->def, &registry.arena, &error);
        entry->broken = !sig && error;
        if (sig) {
            sig->id = entry->id;
        }
        entry->sig = sig;
    }
    return entry ? entry->sig : NULL;
}

SfStatus sf_ops_register(const SfOpTable *table)
{
    SfStatus status = SF_OK;
    pthread_mutex_lock(&registry.lock);
    for (int i = 0; i < table->count && status == SF_OK; i++) {
        status = add_entry(&table->ops[i]) ? SF_OK : SF_NOMEM;
    }
    pthread_mutex_unlock(&registry.lock);
    return status;
}

static __attribute__((noinline)) const SfOpSig *find_slowly(const char *name,
                                                            const SfOpSig *_Atomic *slot)
{
    pthread_mutex_lock(&registry.lock);
    const SfOpSig *sig = parsed(find_entry(name));
    pthread_mutex_unlock(&registry.lock);
    if (sig) {
        atomic_store_explicit(slot, sig, memory_order_release);
    }
    return sig;
}

const SfOpSig *sf_op_find(const char *name)
{
    if (!name) {
        return NULL;
    }
    const uint64_t hash = sf_hash_pointer(0, name);
    const SfOpSig *_Atomic *slot = &recent[hash >> (64 - RECENT_BITS)];
    const SfOpSig *sig = atomic_load_explicit(slot, memory_order_acquire);
    return sig && strcmp(sig->def->name, name) == 0 ? sig : find_slowly(name, slot);
}

const SfOpSig *sf_op_unmodelled(void)
{
    pthread_mutex_lock(&registry.lock);
    const SfOpSig *sig = parsed(registry.unmodelled);
    pthread_mutex_unlock(&registry.lock);
    return sig;
}

int sf_op_count(void)
{
    pthread_mutex_lock(&registry.lock);
    const int count = registry.count;
    pthread_mutex_unlock(&registry.lock);
    return count;
}

const SfOpSig *sf_op_at(int i)
{
    pthread_mutex_lock(&registry.lock);
    const SfOpSig *sig = i < 0 || i >= registry.count ? NULL : parsed(registry.by_id[i]);
    pthread_mutex_unlock(&registry.lock);
    return sig;
}

void sf_ops_reset(void)
{
    pthread_mutex_lock(&registry.lock);
    sf_index_free(&registry.by_name);
    sf_arena_free(&registry.arena);
    sf_free(registry.by_id);
    registry.by_id = NULL;
    registry.unmodelled = NULL;
    registry.count = registry.room = 0;
    for (int i = 0; i < 1 << RECENT_BITS; i++) {
        atomic_store(&recent[i], NULL);
    }
    pthread_mutex_unlock(&registry.lock);
}
