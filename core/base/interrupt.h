/* Interrupts of long work: the embedder installs a check that says whether its user wants to
 * stop. Invariant: interrupted work returns SF_INTERRUPTED and leaves graph and session usable.
 * The check changes nothing, so it can be asked again when an answer was ignored. Owner: none;
 * one check for the process, set before any work. Source: PyErr_CheckSignals. */
#ifndef SF_CORE_INTERRUPT_H
#define SF_CORE_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/status.h"

typedef bool (*SfInterruptCheck)(void);
void sf_interrupt_set_check(SfInterruptCheck check); /* NULL: no interrupts */
bool sf_interrupt_check(void);

/* Called once a step with a counter of the caller's; every so many steps the check is asked. */
static inline bool sf_interrupt_wanted(uint32_t *steps)
{
    enum { EVERY = 512 };
    return ++*steps % EVERY == 0 && sf_interrupt_check();
}

/* The same for SF_TRY. */
static inline SfStatus sf_interrupt_step(uint32_t *steps)
{
    return sf_interrupt_wanted(steps) ? SF_INTERRUPTED : SF_OK;
}

#endif
