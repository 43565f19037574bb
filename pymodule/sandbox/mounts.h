/* The file system that a script sees in the namespaces layer, and the steps that build it.
 * Invariant: nothing that the user has is writable through it but allow_write; every folder reads
 * as outside. All paths are built in a process that owns its mount namespace and ends with it.
 * Owner: SfsbTree is I's, made once, never freed: I ends by _exit.
 * Source: mount_namespaces(7), the kernel's overlayfs.rst; bubblewrap's pivot through a tmpfs. */
#ifndef SFSB_MOUNTS_H
#define SFSB_MOUNTS_H

#include "pymodule/sandbox/kernel.h"

#include <sys/stat.h>

/* Where things are while the tree is built; the tmpfs that holds new files is the root then. */
#define SFSB_OLD     "/old"                /* the user's root */
#define SFSB_NEW     "/new"                /* the script's */
#define SFSB_FILES   "/files"              /* upper and work folders, one pair a number */
#define SFSB_PATH_OF SFSB_FILES "/%u.path" /* a link that says of which folder */

typedef struct SfsbMount {
    char *path;       /* as outside */
    bool is_pseudo;   /* holds no files of a user's, nor does anything below it */
    bool is_readonly; /* an overlay would promise more than there is outside */
    bool is_hidden;   /* not to be looked into: an automounter's */
} SfsbMount;

typedef struct SfsbTree {
    const SfsbRun *run;
    SfsbMount *mounts; /* in the order of mounting */
    size_t mount_count;
    unsigned overlays, levels; /* made so far */
    uint64_t copied;           /* bytes of mirrored files */
    uid_t uid;
} SfsbTree;

/* mountlist.c */
/* Reads the mounts as they are now: 0, or -1 with errno. */
int sfsb_mounts_read(SfsbTree *tree);
/* The mount on this very path, NULL when there is none. */
const SfsbMount *sfsb_mount_at(const SfsbTree *tree, const char *path);
/* Is a mount below this path? */
bool sfsb_mount_below(const SfsbTree *tree, const char *path);
/* Is `path` the folder itself or below it? */
bool sfsb_is_within(const char *path, const char *folder);

/* cover.c: one folder of the user's at its place in the new tree */
/* `path` is as outside; the folder SFSB_NEW + path exists. What can't be overlaid is read-only. */
void sfsb_cover(SfsbTree *tree, const char *path, bool is_readonly);
/* The entries of `path` in a folder of ours, but those that are listed (ends with NULL). */
void sfsb_mirror(SfsbTree *tree, const char *path, const char *const *but);
/* A folder that takes writes, over the user's of the same path; -1 with errno. */
int sfsb_overlay(SfsbTree *tree, const char *path);
/* from (in the building tree) at `to`, recursively, with SFSB_ATTR_...; -1 with errno. */
int sfsb_bind(const char *from, const char *to, uint64_t attributes);
/* mkdir -p */
void sfsb_make_folders(const char *path);

/* removed.c: lines "removed PATH" for P, when the script has ended */
void sfsb_tell_removed(const SfsbRun *run);

/* mounts.c */
/* Runs in I: the whole tree, and the working folder in it. Ends the process by sfsb_fail. */
void sfsb_mount_all(SfsbRun *run);

#endif
