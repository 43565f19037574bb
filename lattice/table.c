/* What the tables of interned objects share: the lock, the hash, their life. See table.h. */
#include "lattice/table.h"

#include <pthread.h>

static pthread_mutex_t intern_mutex = PTHREAD_MUTEX_INITIALIZER;
static SfInternTable *tables; /* those that hold something */
static size_t interned_bytes;
static size_t interned_objects;

void sf_intern_lock(void)
{
    pthread_mutex_lock(&intern_mutex);
}

void sf_intern_unlock(void)
{
    pthread_mutex_unlock(&intern_mutex);
}

void sf_intern_account(SfInternTable *table, size_t bytes)
{
    if (!table->known) {
        table->known = true;
        table->next = tables;
        tables = table;
    }
    interned_bytes += bytes;
    interned_objects++;
}

void sf_intern_forget(size_t bytes)
{
    interned_bytes -= bytes;
    interned_objects--;
}

void sf_intern_reset(void)
{
    sf_intern_lock();
    for (; tables; tables = tables->next) {
        tables->empty();
        tables->known = false;
    }
    interned_bytes = 0;
    interned_objects = 0;
    sf_intern_unlock();
}

void sf_intern_stats(size_t *bytes, size_t *objects)
{
    sf_intern_lock();
    *bytes = interned_bytes;
    *objects = interned_objects;
    sf_intern_unlock();
}
