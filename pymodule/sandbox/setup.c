/* What the processes of a run share while a layer is made: words to P, pipes, descriptors. */
#include "pymodule/sandbox/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void sfsb_text_add(SfsbText *to, const char *from, size_t length)
{
    char *grown = realloc(to->text, to->length + length + 1);
    if (!grown)
        return;
    memcpy(grown + to->length, from, length);
    to->length += length;
    grown[to->length] = '\0';
    to->text = grown;
}

/* One write, so that lines of two processes don't mix: shorter than PIPE_BUF everywhere. */
static void say(const SfsbRun *run, const char *kind, int error, const char *format, va_list args)
{
    char line[512];
    int length = snprintf(line, sizeof line, "%s ", kind);
    int more = vsnprintf(line + length, sizeof line - (size_t)length - 1, format, args);
    length += more < 0 ? 0 : more;
    if (length > (int)sizeof line - 2)
        length = (int)sizeof line - 2;
    if (error != 0) {
        more = snprintf(line + length, sizeof line - (size_t)length - 1, ": %s", strerror(error));
        length += more < 0 ? 0 : more;
        if (length > (int)sizeof line - 2)
            length = (int)sizeof line - 2;
    }
    for (int i = 0; i < length; i++)
        if (line[i] == '\n') /* of a path */
            line[i] = ' ';
    line[length] = '\n';
    (void)!write(run->ready_fd, line, (size_t)length + 1);
}

void sfsb_note(const SfsbRun *run, const char *format, ...)
{
    int error = errno;
    va_list args;
    va_start(args, format);
    say(run, "note", error, format, args);
    va_end(args);
}

void sfsb_fail(const SfsbRun *run, const char *format, ...)
{
    int error = errno;
    va_list args;
    va_start(args, format);
    say(run, "fail", error, format, args);
    va_end(args);
    _exit(125);
}

int64_t sfsb_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int sfsb_pipe(int ends[2])
{
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC);
#else
    if (pipe(ends) < 0)
        return -1;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

/* Closes first..last. */
static void close_between(unsigned first, unsigned last)
{
    if (first > last)
        return;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, last, 0) == 0)
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    if (most < 0 || most > 65536)
        most = 65536;
    DIR *own = opendir("/dev/fd"); /* only what is open: the limit may be a million */
    if (own) {
        for (struct dirent *entry = readdir(own); entry; entry = readdir(own)) {
            unsigned long fd = strtoul(entry->d_name, NULL, 10);
            if (entry->d_name[0] != '.' && fd >= first && fd <= last &&
                fd != (unsigned long)dirfd(own))
                (void)close((int)fd);
        }
        (void)closedir(own);
        return;
    }
    for (unsigned fd = first; fd <= last && fd < (unsigned long)most; fd++)
        (void)close((int)fd);
}

void sfsb_close_others(const int *keep, int count)
{
    unsigned first = 3;
    for (int i = 0; i < count; i++) {
        if (keep[i] < (int)first)
            continue;
        close_between(first, (unsigned)keep[i] - 1);
        first = (unsigned)keep[i] + 1;
    }
    close_between(first, ~0U);
}
