/* TensorFlow's Graph.unique_name and Graph.name_scope. See graph.h. */
#include "core/graph/graph_impl.h"

#include <stdlib.h>
#include <string.h>

#include "lattice/hash.h"
#include "lattice/intern.h"

#define FIRST_TABLE     64u
#define CASE_BLIND_FROM SF_VERSION(1, 13)

static inline unsigned char fold_case(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* Folds case as the comparison does; a few other characters collide, harmlessly. */
static inline uint32_t name_hash(const char *name, size_t len)
{
    /* folding case leaves similar names with similar hashes: mixed again */
    return sf_hash_end(sf_hash_text(name, len, 0x20));
}

/* Is `stored` the `len` characters at `name`? */
static bool same_name(const SfGraph *g, const char *stored, const char *name, size_t len)
{
    if (strncmp(stored, name, len) == 0) {
        return stored[len] == '\0';
    }
    if (g->version < CASE_BLIND_FROM) {
        return false;
    }
    size_t i = 0;
    while (i < len && stored[i] && fold_case(stored[i]) == fold_case(name[i])) {
        i++;
    }
    return i == len && stored[len] == '\0';
}

/* The entry of a name, or the free slot where it belongs. */
static SfUsedName *used_slot(const SfGraph *g, const char *name, size_t len, uint32_t hash)
{
    uint32_t i = hash & g->used_mask;
    while (g->used[i].name &&
           !(g->used[i].hash == hash && same_name(g, g->used[i].name, name, len))) {
        i = (i + 1) & g->used_mask;
    }
    return &g->used[i];
}

/* The length of `name` up to its "_12", 0 when it does not end in a number as unique_name writes
 * it. */
static size_t split_number(const char *name, size_t len, int32_t *number)
{
    size_t at = len;
    int64_t n = 0, unit = 1;
    while (at > 0 && len - at < 10 && name[at - 1] >= '0' && name[at - 1] <= '9') {
        n += unit * (name[--at] - '0');
        unit *= 10;
    }
    if (at == len || at < 2 || name[at] == '0' || name[at - 1] != '_' || n > INT32_MAX) {
        return 0;
    }
    *number = (int32_t)n;
    return at - 1;
}

/* The entry of "x" when `name` is one of the "x_1", "x_2"... that it stands for, else NULL. */
static const SfUsedName *entry_of_numbered(const SfGraph *g, const char *name, size_t len)
{
    int32_t number = 0;
    const size_t base = split_number(name, len, &number);
    if (base == 0) {
        return NULL;
    }
    const SfUsedName *slot = used_slot(g, name, base, name_hash(name, base));
    return slot->name && number < slot->count ? slot : NULL;
}

bool sf_graph_is_used(const SfGraph *g, const char *name)
{
    if (!g->used) {
        return false;
    }
    const size_t len = strlen(name);
    const SfUsedName *slot = used_slot(g, name, len, name_hash(name, len));
    if (!slot->name) {
        slot = entry_of_numbered(g, name, len);
    }
    return slot && strncmp(slot->name, name, strlen(slot->name)) == 0;
}

/* Room for two more names, so that the slots found next stay valid. */
static bool reserve_names(SfGraph *g)
{
    if (g->used && (uint64_t)(g->used_count + 2) * 4 <= (uint64_t)g->used_mask * 3) {
        return true;
    }
    const uint32_t size = g->used ? (g->used_mask + 1) * 2 : FIRST_TABLE;
    SfUsedName *table = sf_calloc(size, sizeof *table);
    if (!table) {
        return false;
    }
    for (uint32_t i = 0; g->used && i <= g->used_mask; i++) {
        if (g->used[i].name) {
            uint32_t k = g->used[i].hash & (size - 1);
            while (table[k].name) {
                k = (k + 1) & (size - 1);
            }
            table[k] = g->used[i];
        }
    }
    sf_free(g->used);
    g->used = table;
    g->used_mask = size - 1;
    return true;
}

enum { NUMBER_MAX = 12 }; /* "_2147483647" and its NUL */

/* "_12" at the end of `text`, before its NUL. */
static const char *write_number(char text[NUMBER_MAX], int32_t number)
{
    char *at = text + NUMBER_MAX - 1;
    uint32_t rest = (uint32_t)number;
    *at = '\0';
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    *--at = '_';
    return at;
}

static size_t append_number(char *at, int32_t number)
{
    char text[NUMBER_MAX];
    const char *start = write_number(text, number);
    const size_t n = (size_t)(text + NUMBER_MAX - 1 - start);
    memcpy(at, start, n + 1);
    return n;
}

static void enter_name(SfGraph *g, SfUsedName *slot, const char *name, size_t len, uint32_t hash)
{
    int32_t number = 0;
    *slot = (SfUsedName){name, hash, 1};
    g->used_count++;
    g->has_numbered = g->has_numbered || split_number(name, len, &number) > 0;
}

/* Makes `text` (len long, with room for a number) unique when it is used: "text_1", "text_2"... */
static const char *make_numbered(SfGraph *g, SfUsedName *base, bool same_case, char *text,
                                 size_t len, bool mark)
{
    int32_t i = base->count;
    size_t full = len + append_number(text + len, i);
    uint32_t hash = 0;
    SfUsedName *slot = NULL;
    if (g->has_numbered || !same_case) {
        hash = name_hash(text, full);
        slot = used_slot(g, text, full, hash);
    }
    while (slot && slot->name) {
        full = len + append_number(text + len, ++i);
        hash = name_hash(text, full);
        slot = used_slot(g, text, full, hash);
    }
    const char *name = sf_arena_strndup(&g->arena, text, full);
    if (name && mark) {
        /* the counter of the base does not cover this name */
        if (slot && (i != base->count || !same_case)) {
            enter_name(g, slot, name, full, hash);
        }
        base->count++;
    }
    return name;
}

/* Where the entry of `name` within this scope is remembered. */
static SfNameBase *base_of(SfGraph *g, const char *name)
{
    const uintptr_t mixed = ((uintptr_t)name >> 3) ^ ((uintptr_t)g->scope >> 4);
    return &g->bases[mixed % SF_NAME_BASES];
}

/* `text` (len long, with room for a number) becomes unique; see Graph.unique_name. `base`: where
 * the entry that gave it a number is remembered, or NULL. */
static const char *make_unique(SfGraph *g, char *text, size_t len, bool mark, SfNameBase *base)
{
    if (!reserve_names(g)) {
        return NULL;
    }
    const uint32_t hash = name_hash(text, len);
    SfUsedName *slot = used_slot(g, text, len, hash);
    if (slot->name) {
        const bool same_case = strncmp(slot->name, text, len) == 0;
        if (base && same_case && len < UINT32_MAX) {
            base->scope = g->scope;
            base->full = slot->name;
            base->slot = (uint32_t)(slot - g->used);
            base->length = (uint32_t)len;
        }
        return make_numbered(g, slot, same_case, text, len, mark);
    }
    const bool used = entry_of_numbered(g, text, len);
    const char *name = sf_arena_strndup(&g->arena, text, len);
    if (name && (mark || used)) {
        enter_name(g, slot, name, len, hash);
    }
    return name && used ? make_numbered(g, slot, true, text, len, mark) : name;
}

static const char *unique_name(SfGraph *g, const char *name, bool mark, SfNameBase *base)
{
    char local[512];
    const size_t scope = strlen(g->scope);
    const size_t len = strlen(name);
    const size_t room = scope + len + 16;
    char *text = room <= sizeof local ? local : sf_malloc(room);
    if (!text) {
        return NULL;
    }
    size_t at = 0;
    if (scope) {
        memcpy(text, g->scope, scope);
        text[scope] = '/';
        at = scope + 1;
    }
    memcpy(text + at, name, len + 1);
    if (base) {
        *base = (SfNameBase){.prefix = (uint32_t)at};
    }
    const char *unique = make_unique(g, text, at + len, mark, base);
    if (text != local) {
        sf_free(text);
    }
    return unique;
}

const char *sf_graph_unique_name(SfGraph *g, const char *name, bool mark)
{
    return unique_name(g, name, mark, NULL);
}

/* The next name of those that `b` remembers, if that is `name` within this scope. */
static const char *name_again(SfGraph *g, const SfNameBase *b, const char *name)
{
    if (b->scope != g->scope || !b->full || g->used[b->slot].name != b->full ||
        strcmp(b->full + b->prefix, name) != 0) {
        return NULL;
    }
    char text[NUMBER_MAX];
    const char *number = write_number(text, g->used[b->slot].count);
    const size_t n = (size_t)(text + NUMBER_MAX - 1 - number);
    const size_t len = b->length + n;
    char *unique = sf_arena_chars(&g->arena, len);
    if (!unique) {
        return NULL;
    }
    memcpy(unique, b->full, b->length);
    memcpy(unique + b->length, number, n);
    if (g->has_numbered && used_slot(g, unique, len, name_hash(unique, len))->name) {
        return NULL; /* the program has used that name itself */
    }
    g->used[b->slot].count++;
    return unique;
}

const char *sf_graph_node_name(SfGraph *g, const char *name)
{
    SfNameBase *base = base_of(g, name);
    const char *unique = unique_name(g, name, true, base);
    base->legal = true;
    return unique;
}

const char *sf_graph_node_name_again(SfGraph *g, const char *name)
{
    const SfNameBase *base = base_of(g, name);
    return base->legal ? name_again(g, base, name) : NULL;
}

static const char *scope_name(SfGraph *g, const char *name)
{
    SfNameBase *base = base_of(g, name);
    const char *again = name_again(g, base, name);
    return again ? again : unique_name(g, name, true, base);
}

const char *sf_graph_enter_scope(SfGraph *g, const char *name, const char **previous)
{
    *previous = g->scope;
    if (!name || !*name) {
        g->scope = "";
        return "";
    }
    const size_t len = strlen(name);
    const bool again = name[len - 1] == '/';
    const char *scope = again ? sf_arena_strndup(&g->arena, name, len - 1) : scope_name(g, name);
    const size_t length = scope ? strlen(scope) : 0;
    char *full = scope ? sf_arena_chars(&g->arena, length + 1) : NULL;
    if (!full) {
        return NULL;
    }
    char *slash = stpcpy(full, scope);
    *slash = '/'; /* sf_arena_chars has put a NUL behind it */
    g->scope = scope;
    if (!again) {
        g->new_scopes[g->next_new_scope++ % SF_ARRAY_LEN(g->new_scopes)] =
            (SfNewScope){full, scope};
    }
    return full;
}

const char *sf_graph_take_new_scope(SfGraph *g, const char *full)
{
    for (size_t i = 0; i < SF_ARRAY_LEN(g->new_scopes); i++) {
        if (g->new_scopes[i].full == full) {
            g->new_scopes[i].full = NULL;
            return g->new_scopes[i].name;
        }
    }
    memset(g->new_scopes, 0, sizeof g->new_scopes);
    return NULL;
}

void sf_graph_set_scope(SfGraph *g, const char *scope)
{
    g->scope = scope;
}

const char *sf_graph_scope(const SfGraph *g)
{
    return g->scope;
}

static bool is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* [A-Za-z0-9.][A-Za-z0-9_.\-/]* for what starts a name, without the first class inside a scope;
 * TensorFlow 2 adds '>' and the backslash. */
bool sf_name_is_valid_in(int version, const char *name, bool at_root)
{
    const char *c = name;
    if (at_root && !is_alphanumeric(*c) && *c != '.') {
        return false;
    }
    while (is_alphanumeric(*c) || (*c && strchr("_.-/", *c)) ||
           (version >= SF_VERSION(2, 0) && (*c == '>' || *c == '\\'))) {
        c++;
    }
    return *c == '\0';
}

bool sf_name_is_valid(const char *name, bool at_root)
{
    return sf_name_is_valid_in(SF_VERSION(2, 0), name, at_root);
}
