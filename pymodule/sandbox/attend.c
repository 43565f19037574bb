/* P's loop: see attend.h. */
#include "pymodule/sandbox/attend.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/signalfd.h>
#endif

enum {
    LARGEST = 256 << 20, /* bytes of a message; more is none */
    MOST = 320 << 20,    /* of all messages: nobody limits what P uses */
    LEAVING_MS =
        5000, /* after its report: what the script does at exit, or what its threads still do */
    PATIENCE_MS = 5000, /* after Ctrl-C: for its report */
    AGAIN_MS = 1000,    /* after all was ended: should anything be left */
    LOOK_MS = 50,       /* where signals cannot be waited for together with descriptors */
    PART = 1 << 14,
    MOST_FDS = 3 + SFSB_OUTPUTS,
};

/* As shapeflow.sandbox.channel writes a report, short and long. */
static const char *const report_heads[] = {"{s6:report", "J{\"report\""};

enum { SIGNALS = 3 };
static const int wanted[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

void sfsb_attend_block(sigset_t *out)
{
    (void)sigemptyset(out);
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction now;
        if (sigaction(wanted[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            (void)sigaddset(out, wanted[i]); /* one that is ignored stays so: nohup */
    }
    sigset_t before;
    (void)pthread_sigmask(SIG_BLOCK, out, &before);
    for (int i = 0; i < SIGNALS; i++)
        if (sigismember(&before, wanted[i]))
            (void)sigdelset(out, wanted[i]); /* not ours to unblock */
}

uint64_t sfsb_message_length(const char *head)
{
    uint64_t length = 0;
    for (int i = 0; i < SFSB_HEAD; i++)
        length = length << 8 | (unsigned char)head[i];
    return length;
}

unsigned sfsb_signal_bits(const sigset_t *signals)
{
    unsigned bits = 0;
    for (int i = 0; i < SIGNALS; i++)
        bits |= sigismember(signals, wanted[i]) == 1 ? 1U << i : 0;
    return bits;
}

void sfsb_signals_of(unsigned bits, sigset_t *out)
{
    (void)sigemptyset(out);
    for (int i = 0; i < SIGNALS; i++)
        if (bits >> i & 1)
            (void)sigaddset(out, wanted[i]);
}

void sfsb_attend_unblock(const sigset_t *signals)
{
    (void)pthread_sigmask(SIG_UNBLOCK, signals, NULL);
}

/* What the loop knows beside what it was given. */
typedef struct Loop {
    SfsbAttend *self;
    SfsbAttended *out;
    size_t room;      /* of out->said */
    size_t next;      /* where in out->said the next message begins */
    uint64_t printed; /* bytes */
    int64_t kill_at;  /* ms; 0: never */
    bool interrupted, stopped;
} Loop;

/* Ends everything in the sandbox, now. */
static void stop(Loop *loop, SfsbReason reason)
{
    int number = loop->stopped ? SIGKILL : SIGTERM;
    if (!loop->stopped)
        loop->out->reason = reason;
    loop->stopped = true;
    loop->kill_at = sfsb_now() + AGAIN_MS;
    (void)kill(loop->self->pid, number);
}

static void take_signal(Loop *loop, int number)
{
    if (number != SIGINT) {
        stop(loop, number == SIGTERM ? SFSB_TERMINATED : SFSB_HUNG_UP);
    } else if (loop->interrupted) {
        stop(loop, SFSB_INTERRUPTED);
    } else { /* the script is to report what it has */
        loop->interrupted = true;
        loop->kill_at = sfsb_now() + PATIENCE_MS;
        (void)kill(loop->self->pid, SIGINT);
    }
}

/* Bytes at the end of the channel's text: the messages that they complete are looked at. */
static void take_said(Loop *loop, const char *part, size_t length)
{
    SfsbText *said = &loop->out->said;
    if (said->length + length > MOST) {
        stop(loop, SFSB_NO_MESSAGE);
        return;
    }
    if (said->length + length > loop->room) {
        size_t room =
            loop->room * 2 > said->length + length ? loop->room * 2 : said->length + length;
        char *grown = realloc(said->text, room);
        if (grown == NULL) {
            stop(loop, SFSB_NO_MESSAGE);
            return;
        }
        said->text = grown;
        loop->room = room;
    }
    memcpy(said->text + said->length, part, length);
    said->length += length;
    while (said->length - loop->next >= SFSB_HEAD) {
        const char *message = said->text + loop->next;
        uint64_t size = sfsb_message_length(message);
        if (size > LARGEST) {
            stop(loop, SFSB_NO_MESSAGE);
            return;
        }
        if (said->length - loop->next - SFSB_HEAD < size)
            return;
        for (size_t i = 0; i < sizeof report_heads / sizeof *report_heads; i++)
            if (size >= strlen(report_heads[i]) &&
                memcmp(message + SFSB_HEAD, report_heads[i], strlen(report_heads[i])) == 0)
                loop->kill_at = sfsb_now() + LEAVING_MS;
        loop->next += SFSB_HEAD + (size_t)size;
    }
}

static void hand_on(Loop *loop, int to, const char *part, size_t length)
{
    loop->printed += length;
    if (loop->printed > loop->self->max_output) {
        stop(loop, SFSB_OUTPUT);
        return;
    }
    (void)sfsb_write_all(to, part, length); /* who read it may have gone */
}

/* Does it end with the line of the script's end? */
static bool is_last(const SfsbText *status)
{
    if (status->length == 0 || status->text[status->length - 1] != '\n')
        return false;
    size_t line = status->length - 1;
    while (line > 0 && status->text[line - 1] != '\n')
        line--;
    return strncmp(status->text + line, "exit ", 5) == 0 ||
           strncmp(status->text + line, "signal ", 7) == 0;
}

/* Reads one descriptor that has something. False: it is at its end. */
static bool take(Loop *loop, int fd)
{
    static const struct timespec moment = {.tv_nsec = 1000000};
    char part[PART];
    ssize_t got = read(fd, part, sizeof part);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        (void)nanosleep(&moment, NULL);
        return true;
    }
    if (got <= 0)
        return false;
    if (fd == loop->self->channel) {
        take_said(loop, part, (size_t)got);
    } else if (fd == loop->self->status) {
        sfsb_text_add(&loop->out->status, part, (size_t)got);
        return !is_last(&loop->out->status); /* none of its processes is left */
    }
    for (int i = 0; i < SFSB_OUTPUTS; i++)
        if (fd == loop->self->outputs[i].from)
            hand_on(loop, loop->self->outputs[i].to, part, (size_t)got);
    return true;
}

/* The signals that came. */
static void take_signals(Loop *loop, int signal_fd)
{
#ifdef __linux__
    struct signalfd_siginfo came;
    while (signal_fd >= 0 && read(signal_fd, &came, sizeof came) == (ssize_t)sizeof came)
        take_signal(loop, (int)came.ssi_signo);
#else
    sigset_t waiting;
    (void)signal_fd;
    for (int i = 0; sigpending(&waiting) == 0 && i < SIGNALS; i++) {
        sigset_t one;
        int number = 0;
        (void)sigemptyset(&one);
        (void)sigaddset(&one, wanted[i]);
        if (sigismember(&waiting, wanted[i]) && sigismember(&loop->self->signals, wanted[i]) &&
            sigwait(&one, &number) == 0)
            take_signal(loop, number);
    }
#endif
}

static void listen_all(Loop *loop)
{
    SfsbAttend *self = loop->self;
    struct pollfd waiting[MOST_FDS];
    int count = 0;
    waiting[count++].fd = self->channel;
    waiting[count++].fd = self->status;
    for (int i = 0; i < SFSB_OUTPUTS; i++)
        if (self->outputs[i].from >= 0)
            waiting[count++].fd = self->outputs[i].from;
    int signal_fd = -1, longest = LOOK_MS;
#ifdef __linux__
    signal_fd = signalfd(-1, &self->signals, SFD_CLOEXEC | SFD_NONBLOCK);
    longest = signal_fd < 0 ? LOOK_MS : -1;
#endif
    while (count > 0) {
        int64_t left = loop->kill_at == 0 ? -1 : loop->kill_at - sfsb_now();
        int ms = left < 0 ? longest : left > 1000000 ? 1000000 : (int)left + 1;
        if (loop->kill_at != 0 && left <= 0) {
            stop(loop, loop->interrupted ? SFSB_INTERRUPTED : SFSB_TIME);
            continue;
        }
        if (longest >= 0 && ms > longest)
            ms = longest;
        for (int i = 0; i < count; i++)
            waiting[i].events = POLLIN;
        waiting[count] = (struct pollfd){.fd = signal_fd, .events = POLLIN};
        int got = poll(waiting, (nfds_t)count + (signal_fd >= 0), ms);
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            break;
        if (signal_fd < 0 || (got > 0 && waiting[count].revents != 0))
            take_signals(loop, signal_fd);
        for (int i = count - 1; got > 0 && i >= 0; i--) {
            if (waiting[i].revents == 0 || take(loop, waiting[i].fd))
                continue;
            if (waiting[i].fd != self->status)
                (void)close(waiting[i].fd);
            waiting[i] = waiting[--count];
        }
    }
    if (signal_fd >= 0)
        (void)close(signal_fd);
}

static bool is_same(const struct termios *a, const struct termios *b)
{
    return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
           a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) == 0;
}

void sfsb_attend(SfsbAttend *self, SfsbAttended *out)
{
    *out = (SfsbAttended){.reason = SFSB_BY_ITSELF};
    Loop loop = {
        .self = self, .out = out, .kill_at = self->limit > 0 ? self->began + self->limit : 0};
    struct termios before, after;
    bool is_terminal = tcgetattr(0, &before) == 0;
    listen_all(&loop);
    /* The script has the terminal, too: it may have died between getpass() and its end. */
    if (is_terminal && tcgetattr(0, &after) == 0 && !is_same(&before, &after))
        (void)tcsetattr(0, TCSANOW, &before);
}

void sfsb_attend_end(const SfsbAttend *self)
{
    (void)close(self->status);
    while (waitpid(self->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}
