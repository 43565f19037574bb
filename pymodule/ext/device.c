/* Device names: "/job:ps/replica:0/task:1/device:GPU:0", merged field by field.
 * Invariant: what is unset is absent from the text; unknown fields are kept out of the way.
 * Owner: the arena that is given. Source: tensorflow/python/framework/device.py. */
#include "pymodule/ext/ext.h"

#include <ctype.h>

typedef struct Part {
    const char *text;
    int len; /* 0: unset */
} Part;

typedef struct Device {
    Part job, replica, task, type, index;
} Device;

static bool is_key(const char *s, int len, const char *key)
{
    return (int)strlen(key) == len && strncmp(s, key, (size_t)len) == 0;
}

/* "device:GPU:0" or "gpu:0": the type and the number behind it. */
static void read_type(Device *d, const char *s, int len)
{
    int colon = 0;
    while (colon < len && s[colon] != ':') {
        colon++;
    }
    d->type = (Part){s, colon};
    if (colon + 1 < len) {
        d->index = (Part){s + colon + 1, len - colon - 1};
    }
}

static void read_field(Device *d, const char *s, int len)
{
    int colon = 0;
    while (colon < len && s[colon] != ':') {
        colon++;
    }
    const Part value = {s + colon + 1, colon < len ? len - colon - 1 : 0};
    if (is_key(s, colon, "job")) {
        d->job = value;
    } else if (is_key(s, colon, "replica")) {
        d->replica = value;
    } else if (is_key(s, colon, "task")) {
        d->task = value;
    } else if (is_key(s, colon, "device")) {
        read_type(d, value.text, value.len);
    } else {
        read_type(d, s, len);
    }
}

static Device parse(const char *s)
{
    Device d = {0};
    while (*s != '\0') {
        if (*s == '/') {
            s++;
            continue;
        }
        int len = 0;
        while (s[len] != '\0' && s[len] != '/') {
            len++;
        }
        read_field(&d, s, len);
        s += len;
    }
    return d;
}

static void append(char **at, const char *key, Part p, bool upper)
{
    if (p.len == 0) {
        return;
    }
    for (; *key != '\0'; key++) {
        *(*at)++ = *key;
    }
    for (int i = 0; i < p.len; i++) {
        *(*at)++ = upper ? (char)toupper((unsigned char)p.text[i]) : p.text[i];
    }
}

const char *sfpy_device_merge(SfArena *arena, const char *device, const char *outer)
{
    Device d = parse(device);
    const Device o = parse(outer);
    d.job = d.job.len ? d.job : o.job;
    d.replica = d.replica.len ? d.replica : o.replica;
    d.task = d.task.len ? d.task : o.task;
    if (d.type.len == 0) {
        d.type = o.type;
        d.index = o.index;
    }
    /* Keys and separators add less than 64 characters to what the two texts hold. */
    char *text = sf_arena_alloc(arena, strlen(device) + strlen(outer) + 64);
    if (!text) {
        return NULL;
    }
    char *at = text;
    append(&at, "/job:", d.job, false);
    append(&at, "/replica:", d.replica, false);
    append(&at, "/task:", d.task, false);
    append(&at, "/device:", d.type, true);
    if (d.type.len > 0) {
        append(&at, ":", d.index.len ? d.index : (Part){"*", 1}, false);
    }
    *at = '\0';
    return text;
}
