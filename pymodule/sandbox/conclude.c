/* See conclude.h. The message: 'F', a digit (the exit status), '1' where the cache is to have the report, which
 * is the message before, else '0', and twice a length of 8 bytes and so many bytes: what goes to the
 * report's descriptor, and to standard error. */
#include "pymodule/sandbox/conclude.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STATUS = 1, CACHED = 2, FIRST = 3, PARTS = 2 };

/* Says to shapeflow.cache what follows. */
static const char entry_head[] = "shapeflow report\n";

typedef struct Part {
    const char *text;
    size_t length;
} Part;

/* The channel's text as two messages: the report and the last. One before them is a finding, which nothing
 * that comes later takes back. */
static bool two_messages(const SfsbText *said, Part *report, Part *last)
{
    Part *const parts[] = {report, last};
    size_t at = 0;
    for (int i = 0; i < PARTS; i++) {
        if (said->length - at < SFSB_HEAD)
            return false;
        uint64_t length = sfsb_message_length(said->text + at);
        at += SFSB_HEAD;
        if (length > said->length - at)
            return false;
        *parts[i] = (Part){said->text + at, (size_t)length};
        at += (size_t)length;
    }
    return at == said->length;
}

static bool split(const Part *message, Part parts[PARTS])
{
    size_t at = FIRST;
    if (message->length < FIRST || message->text[0] != 'F' || message->text[STATUS] < '0' ||
        message->text[STATUS] > '3')
        return false;
    for (int i = 0; i < PARTS; i++) {
        if (message->length - at < SFSB_HEAD)
            return false;
        uint64_t length = sfsb_message_length(message->text + at);
        at += SFSB_HEAD;
        if (length > message->length - at)
            return false;
        parts[i] = (Part){message->text + at, (size_t)length};
        at += (size_t)length;
    }
    return at == message->length;
}

/* Nothing that a terminal would obey. */
static bool is_plain(const Part *part)
{
    for (size_t i = 0; i < part->length; i++)
        if (part->text[i] != '\n' && (part->text[i] < ' ' || part->text[i] > '~'))
            return false;
    return true;
}

/* Did S end by itself, and nobody say anything else? */
static bool ended_well(const SfsbText *status)
{
    return status->length > 6 && strncmp(status->text, "exit ", 5) == 0 &&
           strchr(status->text, '\n') == status->text + status->length - 1;
}

/* Whole or not at all. A cache that cannot be written is none. */
static void keep(const char *path, const Part *entry)
{
    char part[PATH_MAX];
    if (snprintf(part, sizeof part, "%s.%ld", path, (long)getpid()) >= (int)sizeof part)
        return;
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return;
    int failed = sfsb_write_all(fd, entry_head, sizeof entry_head - 1);
    failed = failed != 0 ? failed : sfsb_write_all(fd, entry->text, entry->length);
    if (close(fd) < 0 || failed != 0 || rename(part, path) < 0)
        (void)unlink(part);
}

bool sfsb_conclude(const SfsbAttended *kept, const SfsbConclusion *wanted, int *status)
{
    Part report, message, parts[PARTS];
    if (!ended_well(&kept->status) || !two_messages(&kept->said, &report, &message) ||
        !split(&message, parts) || !is_plain(&parts[0]) || !is_plain(&parts[1]) ||
        (wanted->report_fd < 0 && parts[0].length > 0))
        return false;
    if (message.text[CACHED] == '1' && wanted->cache[0] != '\0')
        keep(wanted->cache, &report);
    if (wanted->report_fd >= 0)
        (void)sfsb_write_all(wanted->report_fd, parts[0].text, parts[0].length);
    (void)sfsb_write_all(2, parts[1].text, parts[1].length);
    *status = message.text[STATUS] - '0';
    return true;
}
