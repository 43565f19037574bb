/* The root of the script's tree: a tmpfs that holds what it writes, the user's folders over it, a
 * /proc and a /dev of its own. Built by pid 1 of the new namespaces, beside the old root, which is
 * then let go. */
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
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Not mirrored from the old root: each has a step of its own. */
static const char *const special[] = {"proc", "sys", "dev", "run", NULL};

static bool join(char into[PATH_MAX], const char *a, const char *b)
{
    int length = snprintf(into, PATH_MAX, "%s%s", a, b);
    return length >= 0 && length < PATH_MAX;
}

/* From the user's mounts to a tmpfs as the root, with the user's root in SFSB_OLD. */
static void enter_base(const SfsbRun *run)
{
    char options[64] = "mode=755";
    if (run->policy->scratch_size > 0)
        (void)snprintf(options, sizeof options, "mode=755,size=%llu",
                       (unsigned long long)run->policy->scratch_size);
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        sfsb_fail(run, "making mounts private");
    if (mount("shapeflow", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
        sfsb_fail(run, "mount of a tmpfs on /tmp");
    if (chdir("/tmp") < 0 || mkdir("old", 0755) < 0 || mkdir("new", 0755) < 0 ||
        mkdir("files", 0755) < 0 || mkdir("shm", 01777) < 0)
        sfsb_fail(run, "making folders in a tmpfs");
    if (syscall(SYS_pivot_root, ".", "old") < 0 || chdir("/") < 0)
        sfsb_fail(run, "pivot_root");
    if (mount(SFSB_NEW, SFSB_NEW, NULL, MS_BIND, NULL) < 0) /* a root must be a mount */
        sfsb_fail(run, "bind of the new root");
    int nothing = open(SFSB_FILES "/nothing", O_WRONLY | O_CREAT | O_CLOEXEC, 0);
    if (nothing >= 0)
        (void)close(nothing);
}

/* The devices that any program may use; never the machine's disks, terminals or GPUs. */
static void make_dev(const SfsbRun *run)
{
    static const char *const nodes[] = {"null", "zero", "full", "random", "urandom", NULL};
    static const char *const links[][2] = {
        {"/proc/self/fd", "fd"},       {"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"},
        {"/proc/self/fd/2", "stderr"}, {"pts/ptmx", "ptmx"},
    };
    char from[PATH_MAX], to[PATH_MAX];
    for (const char *const *node = nodes; *node; node++) {
        if (!join(from, SFSB_OLD "/dev/", *node) || !join(to, SFSB_NEW "/dev/", *node))
            continue;
        int fd = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (fd >= 0)
            (void)close(fd);
        /* A read-only mount only stops chmod here: a device that can be opened can still be
         * written to. */
        if (sfsb_bind(from, to, SFSB_ATTR_RDONLY | SFSB_ATTR_NOSUID | SFSB_ATTR_NOEXEC) < 0) {
            (void)unlink(to);
            if (node == nodes)
                sfsb_fail(run, "bind of /dev/null");
        }
    }
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (join(to, SFSB_NEW "/dev/", links[i][1]))
            (void)!symlink(links[i][0], to);
    (void)mkdir(SFSB_NEW "/dev/pts", 0755);
    (void)mkdir(SFSB_NEW "/dev/shm", 01777);
    if (mount("devpts", SFSB_NEW "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
              "newinstance,ptmxmode=0666,mode=620") < 0)
        sfsb_note(run, "no pseudo-terminals");
    /* The same tmpfs as everything that is written, so that one size bounds all. */
    if (sfsb_bind("/shm", SFSB_NEW "/dev/shm", SFSB_ATTR_NOSUID | SFSB_ATTR_NODEV) < 0)
        sfsb_note(run, "no /dev/shm");
    (void)chmod(SFSB_NEW "/dev/shm", 01777);
    (void)chmod(SFSB_NEW "/dev", 0555);
}

/* A folder of the user's in a part of the tree that is otherwise empty: /run/media/... */
static void expose(SfsbTree *tree, const char *path)
{
    char new[PATH_MAX];
    if (!join(new, SFSB_NEW, path))
        return;
    sfsb_make_folders(new);
    sfsb_cover(tree, path, false);
}

static bool is_emptied(const char *path)
{
    return sfsb_is_within(path, "/run") || sfsb_is_within(path, "/dev");
}

static void make_run(SfsbTree *tree)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, SFSB_NEW "/run/user/%lu", (unsigned long)tree->uid);
    sfsb_make_folders(path);
    (void)chmod(path, 0700);
    for (char *const *own = tree->run->policy->own_level; *own; own++)
        if (is_emptied(*own) && strcmp(*own, "/run") != 0 && strcmp(*own, "/dev") != 0 &&
            strcmp(*own, "/dev/shm") != 0)
            expose(tree, *own);
    if (!tree->run->policy->allow_net)
        return;
    /* Where names are looked up: /etc/resolv.conf is often a link to here. */
    static const char *const resolvers[] = {"/run/systemd/resolve", "/run/resolvconf",
                                            "/run/NetworkManager", NULL};
    for (const char *const *folder = resolvers; *folder; folder++) {
        char old[PATH_MAX], new[PATH_MAX];
        struct stat looks;
        if (!join(old, SFSB_OLD, *folder) || !join(new, SFSB_NEW, *folder) || stat(old, &looks) < 0)
            continue;
        sfsb_make_folders(new);
        (void)sfsb_bind(old, new, SFSB_ATTR_RDONLY | SFSB_ATTR_NOSUID | SFSB_ATTR_NODEV);
    }
}

/* RLIMIT_NPROC does not hold for root. From Linux 6.14 on a pid namespace has a limit of its
 * own; before, the same file belongs to the whole machine and must be left alone. */
static void limit_threads(const SfsbRun *run)
{
    struct utsname name;
    char *rest = NULL;
    unsigned long most = sfsb_most_threads(run->policy);
    if (most == 0 || uname(&name) < 0)
        return;
    long major = strtol(name.release, &rest, 10);
    long minor = *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;
    if (major < 6 || (major == 6 && minor < 14))
        return;
    int fd = open(SFSB_NEW "/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)dprintf(fd, "%lu", most);
    (void)close(fd);
}

static void make_proc(const SfsbRun *run)
{
    SfsbMountAttr attr = {.attr_set = SFSB_ATTR_RDONLY};
    if (mount("proc", SFSB_NEW "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
        sfsb_fail(run, "mount of /proc");
    limit_threads(run);
    if (syscall(SYS_mount_setattr, AT_FDCWD, SFSB_NEW "/proc", 0, &attr, sizeof attr) < 0)
        sfsb_fail(run, "making /proc read-only");
}

static void make_special(SfsbTree *tree)
{
    const SfsbRun *run = tree->run;
    for (const char *const *name = special; *name; name++) {
        char old[PATH_MAX], new[PATH_MAX];
        struct stat looks;
        if (join(old, SFSB_OLD "/", *name) && join(new, SFSB_NEW "/", *name) &&
            stat(old, &looks) == 0)
            (void)mkdir(new, 0755);
    }
    make_proc(run);
    if (sfsb_bind(SFSB_OLD "/sys", SFSB_NEW "/sys",
                  SFSB_ATTR_RDONLY | SFSB_ATTR_NOSUID | SFSB_ATTR_NODEV | SFSB_ATTR_NOEXEC) < 0)
        sfsb_note(run, "no /sys");
    make_dev(run);
    make_run(tree);
}

/* A folder that belongs to someone else but takes our files (/var/tmp, a team's): the kernel can't
 * copy its owner into our tmpfs when a file is made in it, so it gets an overlay whose root is
 * ours. */
static void own_foreign(SfsbTree *tree, const char *path)
{
    /* the id of users that are not in this namespace; it is also a real user's */
    enum { UNKNOWN = 65534 };
    char old[PATH_MAX];
    struct stat looks;
    if (tree->uid == 0 || !join(old, SFSB_OLD, path) || is_emptied(path) || stat(old, &looks) < 0 ||
        !S_ISDIR(looks.st_mode) || (looks.st_uid == tree->uid && tree->uid != UNKNOWN) ||
        access(old, W_OK) < 0 || sfsb_mount_below(tree, path))
        return;
    (void)sfsb_overlay(tree, path);
}

static void allow_write(const SfsbRun *run, const char *path)
{
    char old[PATH_MAX], new[PATH_MAX];
    if (!join(old, SFSB_OLD, path) || !join(new, SFSB_NEW, path))
        return;
    if (is_emptied(path))
        sfsb_make_folders(new);
    if (sfsb_bind(old, new, SFSB_ATTR_NOSUID | SFSB_ATTR_NODEV) < 0)
        sfsb_note(run, "%s can't be made writable", path);
}

/* Covers what must not be read: by an empty folder, or an empty file that nobody may open. */
static void deny_read(const SfsbRun *run, const char *path)
{
    char new[PATH_MAX];
    struct stat looks;
    if (!join(new, SFSB_NEW, path) || stat(new, &looks) < 0)
        return; /* what isn't there can't be read */
    int status;
    if (S_ISDIR(looks.st_mode))
        status = mount("shapeflow", new, "tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY, "mode=000");
    else
        status = sfsb_bind(SFSB_FILES "/nothing", new, SFSB_ATTR_RDONLY);
    if (status < 0)
        sfsb_fail(run, "%s can't be hidden", path);
}

/* Would the kernel have to copy this file's owner or group, which the namespace of an ordinary
 * user does not know, when the user writes to it? Such a write fails with EOVERFLOW. */
static bool is_strange(const char *path, uid_t uid, gid_t gid)
{
    struct stat looks;
    return lstat(path, &looks) == 0 && (S_ISREG(looks.st_mode) || S_ISDIR(looks.st_mode)) &&
           (looks.st_uid != uid || looks.st_gid != gid) && access(path, W_OK) == 0;
}

/* A folder shared by a team, with its own group: the next layer handles writes there. /tmp and
 * the like are left out: others' files there are not ours to write. */
static void leave_to_next(const SfsbRun *run, const char *path)
{
    enum { MOST = 256 };
    uid_t uid = geteuid();
    gid_t gid = getegid();
    struct stat looks;
    char child[PATH_MAX];
    if (stat(path, &looks) < 0 || (looks.st_mode & S_ISVTX) != 0)
        return;
    bool is_found = looks.st_uid == uid && is_strange(path, uid, gid);
    DIR *folder = is_found ? NULL : opendir(path);
    struct dirent *entry;
    for (int i = 0; folder && !is_found && i < MOST && (entry = readdir(folder)); i++)
        is_found = strcmp(entry->d_name, "..") != 0 && strcmp(entry->d_name, ".") != 0 &&
                   snprintf(child, sizeof child, "%s/%s", path, entry->d_name) < PATH_MAX &&
                   is_strange(child, uid, gid);
    if (folder)
        (void)closedir(folder);
    errno = 0;
    if (is_found)
        sfsb_fail(run, "%s holds what you may write and is of another user or group", path);
}

/* Is Landlock the next to be tried, and to be had? */
static bool has_landlock_next(const SfsbPolicy *policy)
{
    for (int i = 0; i + 1 < policy->layer_count; i++)
        if (policy->layers[i] == SFSB_NAMESPACES && policy->layers[i + 1] == SFSB_LANDLOCK)
            return sfsb_landlock_version() > 0;
    return false;
}

void sfsb_mount_all(SfsbRun *run)
{
    const SfsbPolicy *policy = run->policy;
    if (geteuid() != 0 && has_landlock_next(policy))
        for (char *const *path = policy->own_level; *path; path++)
            leave_to_next(run, *path);
    char cwd[PATH_MAX];
    bool has_cwd = getcwd(cwd, sizeof cwd) && cwd[0] == '/';
    SfsbTree tree = {.run = run, .uid = geteuid()};
    mode_t mask = umask(0);
    if (sfsb_mounts_read(&tree) < 0)
        sfsb_fail(run, "reading /proc/self/mountinfo");
    enter_base(run);
    make_special(&tree);
    sfsb_mirror(&tree, "/", special);
    own_foreign(&tree, "/var/tmp");
    for (char *const *path = policy->own_level; *path; path++)
        own_foreign(&tree, *path);
    for (char *const *path = policy->allow_write; *path; path++)
        allow_write(run, *path);
    for (char *const *path = policy->deny_read; *path; path++)
        deny_read(run, *path);
    (void)umask(mask);
    run->usage_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (chdir(SFSB_NEW) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 ||
        umount2(".", MNT_DETACH) < 0)
        sfsb_fail(run, "leaving the old root");
    if (chdir("/") < 0 || (has_cwd && chdir(cwd) < 0))
        sfsb_note(run, "the working folder can't be entered");
}
#endif
