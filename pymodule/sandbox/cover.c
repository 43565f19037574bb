/* A folder of the user's in the script's tree: an overlay where the kernel makes one, which it
 * does not for a folder with mounts below. Such a folder is handled level by level: mirrored in
 * our tmpfs, or seen read-only, with each of its subfolders covered in turn. */
#ifdef __linux__
#include "pymodule/sandbox/mounts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <unistd.h>

enum {
    MOST_OVERLAYS = 400, /* a machine with thousands of mounts must not make a check slow */
    FEW_ENTRIES = 256,   /* such a folder is mirrored though nobody asked for it */
    MANY_ENTRIES = 4096, /* such a folder is not, whoever asks */
};
static const uint64_t small_file = 1 << 20, most_copied = 64 << 20;

/* Puts two or three strings together; false when they are too long for a path. */
static bool join(char into[PATH_MAX], const char *a, const char *b, const char *c)
{
    int length = snprintf(into, PATH_MAX, "%s%s%s", a, b, c);
    return length >= 0 && length < PATH_MAX;
}

/* A child's path: "/" + name has one slash. */
static bool join_child(char into[PATH_MAX], const char *folder, const char *name)
{
    return join(into, folder[1] == '\0' ? "" : folder, "/", name);
}

void sfsb_make_folders(const char *path)
{
    char part[PATH_MAX];
    if (!join(part, path, "", ""))
        return;
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(part, 0755);
        *slash = '/';
    }
    (void)mkdir(part, 0755);
}

int sfsb_bind(const char *from, const char *to, uint64_t attributes)
{
    if (mount(from, to, NULL, MS_BIND | MS_REC, NULL) < 0)
        return -1;
    SfsbMountAttr attr = {.attr_set = attributes};
    if (syscall(SYS_mount_setattr, AT_FDCWD, to, SFSB_AT_RECURSIVE, &attr, sizeof attr) == 0)
        return 0;
    int error = errno;
    (void)umount2(to, MNT_DETACH); /* a folder that could be written to must not stay */
    errno = error;
    return -1;
}

/* Owner, mode and times of a file or folder of ours are those of the user's. */
static void copy_looks(const char *path, const struct stat *from)
{
    struct timespec times[2] = {from->st_atim, from->st_mtim};
    (void)!lchown(path, from->st_uid, from->st_gid);
    if (!S_ISLNK(from->st_mode))
        (void)chmod(path, from->st_mode & 07777);
    (void)utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

int sfsb_overlay(SfsbTree *tree, const char *path)
{
    char old[PATH_MAX], new[PATH_MAX], upper[64], options[256];
    struct stat looks;
    unsigned number = tree->overlays;
    if (!join(old, SFSB_OLD, path, "") || !join(new, SFSB_NEW, path, "")) {
        errno = ENAMETOOLONG;
        return -1;
    }
    (void)snprintf(upper, sizeof upper, SFSB_FILES "/%u", number);
    (void)snprintf(options, sizeof options,
                   "lowerdir=.,upperdir=" SFSB_FILES "/%u,workdir=" SFSB_FILES "/%u.work,userxattr",
                   number, number);
    char work[80];
    (void)snprintf(work, sizeof work, "%s.work", upper);
    if (stat(old, &looks) < 0 || mkdir(upper, 0700) < 0 || mkdir(work, 0700) < 0)
        return -1;
    tree->overlays++;
    /* the overlay's root is ours, so its mode must allow what its owner could do outside */
    if (access(old, W_OK) < 0)
        looks.st_mode &= ~(mode_t)0222;
    copy_looks(upper, &looks);
    /* The mount options cannot hold a path with a colon or a comma, so the folder is named
     * relative to the working folder. */
    if (chdir(old) < 0)
        return -1;
    int status = mount("overlay", new, "overlay", MS_NOSUID | MS_NODEV, options);
    int error = errno;
    (void)chdir("/");
    (void)snprintf(upper, sizeof upper, SFSB_PATH_OF, number);
    (void)!symlink(path, upper);
    errno = error;
    return status;
}

/* The folder as it is, read-only, all mounts below it too. */
static void show(const SfsbTree *tree, const char *path)
{
    char old[PATH_MAX], new[PATH_MAX];
    if (!join(old, SFSB_OLD, path, "") || !join(new, SFSB_NEW, path, ""))
        return;
    if (sfsb_bind(old, new, SFSB_ATTR_RDONLY | SFSB_ATTR_NOSUID | SFSB_ATTR_NODEV) < 0)
        sfsb_note(tree->run, "%s is not to be seen", path);
}

/* A file of a level of its own: a copy when it is small, else read-only. */
static void mirror_file(SfsbTree *tree, const char *old, const char *new, const struct stat *looks)
{
    int to = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0)
        return;
    uint64_t size = (uint64_t)looks->st_size;
    int from = -1;
    if (size <= small_file && tree->copied + size <= most_copied)
        from = open(old, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool is_whole = from >= 0;
    for (uint64_t done = 0; is_whole && done < size;) {
        ssize_t part = sendfile(to, from, NULL, (size_t)(size - done));
        is_whole = part > 0;
        done += part > 0 ? (uint64_t)part : 0;
    }
    if (from >= 0)
        (void)close(from);
    (void)close(to);
    tree->copied += is_whole ? size : 0;
    if (!is_whole && sfsb_bind(old, new, SFSB_ATTR_RDONLY | SFSB_ATTR_NOSUID | SFSB_ATTR_NODEV) < 0)
        (void)unlink(new);
    if (is_whole)
        copy_looks(new, looks);
}

static void mirror_entry(SfsbTree *tree, const char *path, bool is_readonly)
{
    char old[PATH_MAX], new[PATH_MAX], target[PATH_MAX];
    struct stat looks;
    if (!join(old, SFSB_OLD, path, "") || !join(new, SFSB_NEW, path, ""))
        return;
    const SfsbMount *mounted = sfsb_mount_at(tree, path);
    if (mounted && mounted->is_hidden) {
        (void)mkdir(new, 0555);
        return;
    }
    if (lstat(old, &looks) < 0)
        return;
    if (S_ISDIR(looks.st_mode)) {
        if (mkdir(new, 0755) == 0)
            sfsb_cover(tree, path, is_readonly);
    } else if (S_ISLNK(looks.st_mode)) {
        ssize_t length = readlink(old, target, sizeof target - 1);
        if (length < 0)
            return;
        target[length] = '\0';
        if (symlink(target, new) == 0)
            copy_looks(new, &looks);
    } else if (S_ISREG(looks.st_mode)) {
        mirror_file(tree, old, new, &looks);
    } else if (S_ISFIFO(looks.st_mode)) {
        if (mkfifo(new, 0600) == 0) /* another pipe of the same name: nobody reads this one */
            copy_looks(new, &looks);
    } else if (S_ISSOCK(looks.st_mode)) {
        (void)mknod(new, S_IFSOCK | 0600, 0); /* likewise */
    }                                         /* devices are given in /dev only */
}

static bool is_listed(const char *name, const char *const *names)
{
    for (; names && *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static bool is_dots(const char *name)
{
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

static void mirror(SfsbTree *tree, const char *path, const char *const *but, bool is_readonly)
{
    char old[PATH_MAX], new[PATH_MAX], child[PATH_MAX];
    struct stat looks;
    if (!join(old, SFSB_OLD, path, "") || !join(new, SFSB_NEW, path, "") || stat(old, &looks) < 0)
        return;
    DIR *folder = opendir(old);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (!is_dots(entry->d_name) && !is_listed(entry->d_name, but) &&
            join_child(child, path, entry->d_name))
            mirror_entry(tree, child, is_readonly);
    (void)closedir(folder);
    /* The mirrored folder is ours: its mode must allow what its owner could do outside. */
    if (access(old, W_OK) < 0)
        looks.st_mode &= ~(mode_t)0222;
    copy_looks(new, &looks);
}

void sfsb_mirror(SfsbTree *tree, const char *path, const char *const *but)
{
    mirror(tree, path, but, false);
}

/* Is there more than this in a folder? */
static bool has_more(const char *old, int than)
{
    DIR *folder = opendir(old);
    int count = 0;
    while (folder && count <= than && readdir(folder))
        count++;
    if (folder)
        (void)closedir(folder);
    return count > than;
}

/* A folder that is seen read-only: what can be written in it is put on top. */
static void cover_children(SfsbTree *tree, const char *path, bool is_readonly)
{
    char old[PATH_MAX], child[PATH_MAX], new[PATH_MAX];
    struct stat looks;
    if (!join(old, SFSB_OLD, path, ""))
        return;
    DIR *folder = opendir(old);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (is_dots(entry->d_name) || !join_child(child, path, entry->d_name) ||
            !join(new, SFSB_NEW, child, ""))
            continue;
        const SfsbMount *mounted = sfsb_mount_at(tree, child);
        if (mounted && mounted->is_hidden)
            continue;
        /* The kind is asked of the new tree, where no automounter reacts. */
        if (entry->d_type == DT_LNK || entry->d_type == DT_REG || lstat(new, &looks) < 0)
            continue;
        if (S_ISDIR(looks.st_mode))
            sfsb_cover(tree, child, is_readonly);
        else if (S_ISSOCK(looks.st_mode)) /* connect() works on read-only mounts */
            (void)sfsb_bind(SFSB_FILES "/nothing", new, SFSB_ATTR_RDONLY);
    }
    (void)closedir(folder);
}

/* Is it one of the folders that the script works in? */
static bool is_own(const SfsbTree *tree, const char *path)
{
    return is_listed(path, (const char *const *)tree->run->policy->own_level);
}

static bool leads_to_own(const SfsbTree *tree, const char *path)
{
    for (char *const *own = tree->run->policy->own_level; *own; own++)
        if (sfsb_is_within(*own, path))
            return true;
    return false;
}

void sfsb_cover(SfsbTree *tree, const char *path, bool is_readonly)
{
    char old[PATH_MAX];
    const SfsbMount *mounted = sfsb_mount_at(tree, path);
    if (!join(old, SFSB_OLD, path, "") || (mounted && mounted->is_hidden))
        return;
    is_readonly = mounted ? mounted->is_readonly : is_readonly;
    bool is_deep = sfsb_mount_below(tree, path);
    bool is_spent = tree->overlays + tree->levels >= MOST_OVERLAYS && !leads_to_own(tree, path);
    if ((mounted && mounted->is_pseudo) || (is_readonly && !is_deep) || is_spent ||
        access(old, X_OK) < 0) {
        show(tree, path);
        return;
    }
    if (!is_deep) {
        if (sfsb_overlay(tree, path) < 0) {
            sfsb_note(tree->run, "%s is read-only: no overlay", path);
            show(tree, path);
        }
        return;
    }
    tree->levels++;
    if (!has_more(old, is_own(tree, path) ? MANY_ENTRIES : FEW_ENTRIES)) {
        mirror(tree, path, NULL, is_readonly);
        return;
    }
    show(tree, path);
    cover_children(tree, path, is_readonly);
}
#endif
