/* What a gradient reads. See backward.h. */
#include "core/analysis/backward.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/op/port.h"

static const SfBackwardRow *table;
static int table_size;
static const SfTapeRow *tape_table;
static int tape_table_size;

/* The row that each op had last, by its number in the registry: of a node it is asked several
 * times. Tests give numbers anew, so the name is compared. */
enum { NUMBERED_OPS = 2048 };
static const SfBackwardRow *_Atomic rows_by_number[NUMBERED_OPS];

void sf_backward_register(const SfBackwardRow *rows, int n)
{
    table = rows;
    table_size = n;
    for (int i = 0; i < NUMBERED_OPS; i++) {
        atomic_store_explicit(&rows_by_number[i], NULL, memory_order_relaxed);
    }
}

static int by_name(const void *key, const void *row)
{
    return strcmp(key, ((const SfBackwardRow *)row)->op);
}

static const SfBackwardRow *find(const SfNode *n)
{
    const char *name = n->sig->def->name;
    const int id = n->sig->id >= 0 && n->sig->id < NUMBERED_OPS ? n->sig->id : 0;
    const SfBackwardRow *row = atomic_load_explicit(&rows_by_number[id], memory_order_relaxed);
    if ((row && by_name(name, row) == 0) || table_size == 0) {
        return row;
    }
    row = bsearch(name, table, (size_t)table_size, sizeof *table, by_name);
    if (row) {
        atomic_store_explicit(&rows_by_number[id], row, memory_order_relaxed);
    }
    return row;
}

bool sf_backward_reads_input(const SfNode *n, int input)
{
    const SfOpRole role = sf_node_role(n);
    if (role >= SF_ROLE_ARRAY_WRITE && role <= SF_ROLE_ARRAY_GATHER) {
        return false; /* the gradient of an array is an array: handle and indices alone */
    }
    if (role == SF_ROLE_IDENTITY || role == SF_ROLE_ENTER || role == SF_ROLE_EXIT) {
        return false; /* of which the table has no row: it passes on what arrives */
    }
    const SfBackwardRow *row = find(n);
    const int port = row ? sf_input_port(n->sig, n->attrs, input, NULL) : -1;
    return !row || port < 0 || port > 31 || (row->inputs >> port & 1);
}

bool sf_backward_reads_output(const SfNode *n, int output)
{
    const SfBackwardRow *row = find(n);
    return row && output < 32 && (row->outputs >> output & 1);
}

void sf_tape_register(const SfTapeRow *rows, int n)
{
    tape_table = rows;
    tape_table_size = n;
}

static int tape_row_by_name(const void *key, const void *row)
{
    return strcmp(key, ((const SfTapeRow *)row)->op);
}

static const SfTapeRow *find_tape_row(const SfNode *n)
{
    return tape_table_size == 0 ? NULL
                                : bsearch(n->sig->def->name, tape_table, (size_t)tape_table_size,
                                          sizeof *tape_table, tape_row_by_name);
}

bool sf_tape_keeps_input(const SfNode *n, int input)
{
    const SfTapeRow *row = find_tape_row(n);
    const int port = sf_input_port(n->sig, n->attrs, input, NULL);
    return !row ? sf_backward_reads_input(n, input)
                : port < 0 || port > 31 || (row->inputs >> port & 1);
}

bool sf_tape_keeps_output(const SfNode *n, int output)
{
    const SfTapeRow *row = find_tape_row(n);
    return !row ? sf_backward_reads_output(n, output) : output < 32 && (row->outputs >> output & 1);
}

int sf_tape_temporaries(const SfNode *n)
{
    const SfTapeRow *row = find_tape_row(n);
    return row ? row->temporaries : 0;
}
