/* What is mounted where, from /proc/self/mountinfo. */
#ifdef __linux__
#include "pymodule/sandbox/mounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Undoes mountinfo's \ooo for space, tab, newline and backslash, in place. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] != '\0' &&
            from[3] != '\0') {
            *to++ = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 4;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* clang-format off */
static const char *const pseudo[] = {
    "proc", "sysfs", "cgroup", "cgroup2", "devpts", "devtmpfs", "securityfs", "debugfs", "tracefs",
    "bpf", "configfs", "pstore", "mqueue", "hugetlbfs", "fusectl", "rpc_pipefs", "binfmt_misc",
    "nsfs",
    "efivarfs", "selinuxfs", NULL,
};
/* clang-format on */
static const char *const readonly[] = {"squashfs", "iso9660", "erofs", NULL};

/* "36 35 98:0 /root /path options optional... - type source super": 1, 0 when it is none, -1. */
static int parse_line(char *line, SfsbMount *out)
{
    char *rest = NULL;
    char *words[6];
    for (int i = 0; i < 6; i++)
        if (!(words[i] = strtok_r(i == 0 ? line : NULL, " \n", &rest)))
            return 0;
    char *word = words[5];
    while (word && strcmp(word, "-") != 0)
        word = strtok_r(NULL, " \n", &rest);
    const char *type = strtok_r(NULL, " \n", &rest);
    if (!type)
        return 0;
    unescape(words[4]);
    *out = (SfsbMount){
        .path = strdup(words[4]),
        .is_pseudo = is_one_of(type, pseudo),
        .is_readonly = is_one_of(type, readonly) || strcmp(words[5], "ro") == 0 ||
                       strncmp(words[5], "ro,", 3) == 0,
        .is_hidden = strcmp(type, "autofs") == 0,
    };
    return !out->path ? -1 : 1;
}

int sfsb_mounts_read(SfsbTree *tree)
{
    FILE *list = fopen("/proc/self/mountinfo", "re");
    if (!list)
        return -1;
    char *line = NULL;
    size_t room = 0, slots = 0;
    int status = 0;
    while (status >= 0 && getline(&line, &room, list) > 0) {
        if (tree->mount_count == slots) {
            slots = slots == 0 ? 64 : slots * 2;
            SfsbMount *grown = realloc(tree->mounts, slots * sizeof *grown);
            if (!grown) {
                status = -1;
                break;
            }
            tree->mounts = grown;
        }
        status = parse_line(line, &tree->mounts[tree->mount_count]);
        tree->mount_count += status > 0;
    }
    free(line);
    (void)fclose(list);
    return status < 0 ? -1 : 0;
}

bool sfsb_is_within(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    if (length == 1) /* "/" */
        return true;
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

const SfsbMount *sfsb_mount_at(const SfsbTree *tree, const char *path)
{
    const SfsbMount *found = NULL; /* the last one is on top */
    for (size_t i = 0; i < tree->mount_count; i++)
        if (strcmp(tree->mounts[i].path, path) == 0)
            found = &tree->mounts[i];
    return found;
}

bool sfsb_mount_below(const SfsbTree *tree, const char *path)
{
    for (size_t i = 0; i < tree->mount_count; i++)
        if (sfsb_is_within(tree->mounts[i].path, path) && strcmp(tree->mounts[i].path, path) != 0)
            return true;
    return false;
}
#endif
