/* P while the script runs: it takes what the script's process says and prints, hands signals on, and ends
 * everything when time is up. Signals are blocked and read, so nothing here depends on handlers, and the
 * same loop serves the interpreter (module.c) and the program that stands in for it (keeper.c).
 * Owner: the caller of SfsbAttended's two texts. */
#ifndef SFSB_ATTEND_H
#define SFSB_ATTEND_H

#include "pymodule/sandbox/process.h"

/* Why P ended the script; shapeflow.sandbox.supervise has the words. */
typedef enum SfsbReason {
    SFSB_BY_ITSELF,
    SFSB_TIME,        /* the time limit */
    SFSB_INTERRUPTED, /* Ctrl-C twice, or once and no end */
    SFSB_TERMINATED,  /* SIGTERM to P */
    SFSB_HUNG_UP,     /* SIGHUP to P */
    SFSB_OUTPUT,      /* printed too much */
    SFSB_NO_MESSAGE,  /* sent what is none */
} SfsbReason;

enum { SFSB_OUTPUTS = 2, SFSB_HEAD = 8 /* bytes of a message's length, before it */ };

uint64_t sfsb_message_length(const char *head);

typedef struct SfsbAttend {
    pid_t pid;   /* of C1 */
    int channel; /* messages of shapeflow.sandbox.channel; read to its end, then closed */
    int status;  /* what C1 and I say; stays open */
    struct {
        int from, to; /* -1: nothing to hand on; `from` is closed at its end */
    } outputs[SFSB_OUTPUTS];
    int64_t began;       /* ms, as sfsb_now() counts */
    int64_t limit;       /* ms after which all is ended; 0: none */
    uint64_t max_output; /* bytes */
    sigset_t signals;    /* of SIGINT, SIGTERM and SIGHUP: those that were blocked for this */
} SfsbAttend;

typedef struct SfsbAttended {
    SfsbText said;   /* the channel's whole content */
    SfsbText status; /* all lines of C1 and I */
    SfsbReason reason;
} SfsbAttended;

/* Blocks, in this thread, those of the three signals that are not ignored; they are left in *out. */
void sfsb_attend_block(sigset_t *out);
void sfsb_attend_unblock(const sigset_t *signals);

/* The same signals as bits: 1 SIGINT, 2 SIGTERM, 4 SIGHUP. */
unsigned sfsb_signal_bits(const sigset_t *signals);
void sfsb_signals_of(unsigned bits, sigset_t *out);

/* Returns when none of the script's processes is left and all that they sent has been read. The terminal
 * on standard input, if there is one, is as it was before. */
void sfsb_attend(SfsbAttend *self, SfsbAttended *out);
/* Last, once there is nothing else to do: waits for C1. The kernel takes namespaces down in its own time. */
void sfsb_attend_end(const SfsbAttend *self);

#endif
