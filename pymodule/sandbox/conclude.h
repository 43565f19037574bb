/* The last message of a script with nothing to report, and what P does for it without an interpreter.
 * It is the word of the script's process, as a report is: whatever in it is not as it should be is refused,
 * and the reports that came before it are read by Python. */
#ifndef SFSB_CONCLUDE_H
#define SFSB_CONCLUDE_H

#include "pymodule/sandbox/attend.h"

typedef struct SfsbConclusion {
    int report_fd;     /* where the report goes, or -1: it has none */
    const char *cache; /* the file of the cache's entry, or "" */
} SfsbConclusion;

/* True: it was the last message, and is done; *status is the exit status. False: nothing was done. */
bool sfsb_conclude(const SfsbAttended *kept, const SfsbConclusion *wanted, int *status);

#endif
