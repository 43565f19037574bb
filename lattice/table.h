/* Internal to lattice/: what the files that own a table of interned objects share.
 * Invariant: a table is touched only between sf_intern_lock() and sf_intern_unlock(); an object is
 * never moved, nor freed before sf_intern_reset(), values that are swept (value.h) aside. Include
 * this before anything that names uthash.
 * Owner: each table belongs to the file that declares it. Source: uthash 2.3 (non-fatal memory). */
#ifndef SF_LATTICE_TABLE_H
#define SF_LATTICE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "lattice/hash.h"
#include "lattice/intern.h"

/* A failed allocation inside uthash leaves the table as it was and the new entry unlinked, which
 * shows as entry->hh.tbl == NULL. */
#define HASH_NONFATAL_OOM      1
#define uthash_malloc(size)    sf_malloc(size)
#define uthash_free(ptr, size) sf_free(ptr)
#include <uthash.h>

void sf_intern_lock(void);
void sf_intern_unlock(void);

/* The tables of one file. */
typedef struct SfInternTable {
    void (*empty)(void); /* frees their objects; called locked, by sf_intern_reset() alone */
    bool known;          /* to sf_intern_reset() */
    struct SfInternTable *next;
} SfInternTable;
/* Call it, locked, for each object that enters a table. */
void sf_intern_account(SfInternTable *table, size_t bytes);
void sf_intern_forget(size_t bytes); /* Call it, locked, for each object that leaves a table. */

#endif
