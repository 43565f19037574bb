/* TensorFlow's Graph.unique_name and Graph.name_scope. See graph.h. */
#include "core/graph/graph_impl.h"

#include <stdlib.h>
#include <string.h>

#include "lattice/intern.h"

#define FIRST_TABLE     64u
#define CASE_BLIND_FROM SF_VERSION(1, 13)

static inline unsigned char fold_case(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* `fold`: sets bit 5 of every byte, which folds letters, and collides a few others, harmlessly. */
static inline uint32_t hash_bytes(const char *name, size_t len, uint64_t fold)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ len;
    size_t i = 0;
    for (; i + 8 <= len; i += 8) {
        uint64_t word;
        memcpy(&word, name + i, 8);
        h = (h ^ (word | fold)) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    uint64_t rest = 0;
    for (; i < len; i++) {
        rest = rest << 8 | (unsigned char)((unsigned char)name[i] | (fold & 0xff));
    }
    h = (h ^ rest) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(h ^ h >> 32);
}

uint32_t sf_name_hash(const char *name, size_t len)
{
    return hash_bytes(name, len, UINT64_C(0x2020202020202020));
}

/* For graph files: names that differ in case alone must not share one slot, or a hostile file
 * makes every lookup linear. */
uint32_t sf_name_hash_exact(const char *name, size_t len)
{
    return hash_bytes(name, len, 0);
}

static bool same_name(const SfGraph *g, const char *a, const char *b)
{
    if (g->version < CASE_BLIND_FROM) {
        return strcmp(a, b) == 0;
    }
    for (; fold_case(*a) == fold_case(*b); a++, b++) {
        if (!*a) {
            return true;
        }
    }
    return false;
}

/* The entry of a name, or the free slot where it belongs. */
static SfUsedName *used_slot(const SfGraph *g, const char *name, uint32_t hash)
{
    uint32_t i = hash & g->used_mask;
    while (g->used[i].name && !(g->used[i].hash == hash && same_name(g, g->used[i].name, name))) {
        i = (i + 1) & g->used_mask;
    }
    return &g->used[i];
}

bool sf_graph_is_used(const SfGraph *g, const char *name)
{
    const SfUsedName *slot = g->used ? used_slot(g, name, sf_name_hash(name, strlen(name))) : NULL;
    return slot && slot->name && strcmp(slot->name, name) == 0;
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

static size_t append_number(char *at, int32_t number)
{
    char digits[12];
    size_t n = 0;
    for (uint32_t v = (uint32_t)number; n == 0 || v; v /= 10) {
        digits[n++] = (char)('0' + v % 10);
    }
    *at = '_';
    for (size_t i = 0; i < n; i++) {
        at[1 + i] = digits[n - 1 - i];
    }
    at[1 + n] = '\0';
    return n + 1;
}

/* `text` (len long, with room for a number) becomes unique; see Graph.unique_name. */
static const char *make_unique(SfGraph *g, char *text, size_t len, bool mark)
{
    if (!reserve_names(g)) {
        return NULL;
    }
    uint32_t hash = sf_name_hash(text, len);
    SfUsedName *slot = used_slot(g, text, hash);
    int32_t i = slot->name ? slot->count : 0;
    size_t full = len;
    SfUsedName *base = NULL;
    if (slot->name) { /* also with mark off and a count of 0: cannot be, counts start at 1 */
        base = slot;
        do {
            full = len + append_number(text + len, i++);
            hash = sf_name_hash(text, full);
            slot = used_slot(g, text, hash);
        } while (slot->name);
    }
    const char *name = sf_arena_strndup(&g->arena, text, full);
    if (name && mark) {
        if (base) {
            base->count++;
        }
        *slot = (SfUsedName){name, hash, 1};
        g->used_count++;
    }
    return name;
}

const char *sf_graph_unique_name(SfGraph *g, const char *name, bool mark)
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
    const char *unique = make_unique(g, text, at + len, mark);
    if (text != local) {
        sf_free(text);
    }
    return unique;
}

const char *sf_graph_enter_scope(SfGraph *g, const char *name, const char **previous)
{
    *previous = g->scope;
    if (!name || !*name) {
        g->scope = "";
        return "";
    }
    const size_t len = strlen(name);
    const char *scope = name[len - 1] == '/' ? sf_arena_strndup(&g->arena, name, len - 1)
                                             : sf_graph_unique_name(g, name, true);
    if (!scope) {
        return NULL;
    }
    const char *full = sf_arena_printf(&g->arena, "%s/", scope);
    if (full) {
        g->scope = scope;
    }
    return full;
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
    const char *marks = version >= SF_VERSION(2, 0) ? "_.-/>\\" : "_.-/";
    if (at_root && !is_alphanumeric(*name) && *name != '.') {
        return false;
    }
    for (const char *c = name; *c; c++) {
        if (!is_alphanumeric(*c) && !strchr(marks, *c)) {
            return false;
        }
    }
    return true;
}

bool sf_name_is_valid(const char *name, bool at_root)
{
    return sf_name_is_valid_in(SF_VERSION(2, 0), name, at_root);
}
