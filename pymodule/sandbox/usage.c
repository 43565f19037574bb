/* What the processes below this one use, read from /proc: no control group is ours to make without
 * root. Two sums: a cheap one at each look, and an exact one that decides, where pages that
 * processes share count once and pages of files, which the kernel can drop, not at all. */
#include "pymodule/sandbox/process.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#include <sys/sysinfo.h>
#endif

static int pids_add(SfsbPids *to, pid_t pid)
{
    if (to->count == to->room) {
        size_t room = to->room == 0 ? 64 : to->room * 2;
        pid_t *grown = realloc(to->pids, room * sizeof *grown);
        if (!grown)
            return -1;
        to->pids = grown;
        to->room = room;
    }
    to->pids[to->count++] = pid;
    return 0;
}

/* The start of a file of /proc as a string; its length, -1 when it is gone. */
static ssize_t read_text(const char *path, char *into, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    size_t length = 0;
    ssize_t got = 0;
    while (length < room - 1 && (got = read(fd, into + length, room - 1 - length)) > 0)
        length += (size_t)got;
    (void)close(fd);
    into[length] = '\0';
    return got < 0 ? -1 : (ssize_t)length;
}

/* Calls add for each entry of a folder that is a number; -1 when the folder can't be read. */
static int each_number(const char *folder, int (*add)(void *, long), void *to)
{
    DIR *open_folder = opendir(folder);
    if (!open_folder)
        return -1;
    int status = 0;
    for (struct dirent *entry; status == 0 && (entry = readdir(open_folder));)
        if (isdigit((unsigned char)entry->d_name[0]))
            status = add(to, strtol(entry->d_name, NULL, 10));
    (void)closedir(open_folder);
    return status;
}

static int add_other(void *to, long pid)
{
    return pid == getpid() ? 0 : pids_add(to, (pid_t)pid);
}

int sfsb_others(SfsbPids *out)
{
    out->count = 0;
    return each_number("/proc", add_other, out);
}

typedef struct Family {
    SfsbPids *pids;
    pid_t parent;
} Family;

/* The children that one thread of the parent has made. */
static int add_children(void *to, long thread)
{
    Family *family = to;
    char path[64], list[4096];
    (void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)family->parent, thread);
    if (read_text(path, list, sizeof list) < 0)
        return 0;
    char *end = list;
    for (char *at = list; *at != '\0'; at = end) {
        long pid = strtol(at, &end, 10);
        if (end == at ||
            *end == '\0') /* a space follows each number: without one the last was cut off */
            break;
        if (pids_add(family->pids, (pid_t)pid) < 0)
            return -1;
        while (*end == ' ')
            end++;
    }
    return 0;
}

int sfsb_descendants(SfsbPids *out, size_t enough)
{
    out->count = 0;
    Family family = {out, getpid()};
    for (size_t next = 0;; next++) {
        char folder[64];
        (void)snprintf(folder, sizeof folder, "/proc/%ld/task", (long)family.parent);
        (void)each_number(folder, add_children, &family);
        if (next == out->count || out->count > enough) /* a fork bomb grows faster than this loop */
            return 0;
        family.parent = out->pids[next];
    }
}

#ifdef __linux__
/* Shared memory and tmpfs files of all processes, mapped or not: of the whole machine, so only
 * an upper bound. */
static uint64_t shared_memory(void)
{
    struct sysinfo now;
    return sysinfo(&now) < 0 ? 0 : (uint64_t)now.sharedram * now.mem_unit;
}

/* Resident pages that are no file's. */
static uint64_t private_memory(pid_t pid)
{
    char path[32], text[128];
    char *at = text;
    (void)snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    if (read_text(path, text, sizeof text) <= 0)
        return 0;
    (void)strtoull(at, &at, 10); /* its size */
    uint64_t resident = strtoull(at, &at, 10), shared = strtoull(at, &at, 10);
    if (shared > resident)
        return 0;
    return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The number after `name` in kB, as bytes. */
static uint64_t field(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return !at ? 0 : strtoull(at + strlen(name), NULL, 10) * 1024;
}

typedef struct Memfds {
    pid_t pid;
    dev_t device; /* where the kernel keeps files that have no name */
    struct Memfd {
        ino_t inode;
        uint64_t size;
    } files
        [256]; /* more than these are not counted: each is bounded, and mapped ones count anyway */
    size_t count;
} Memfds;

static int add_memfd(void *to, long fd)
{
    Memfds *all = to;
    char path[64];
    struct stat file;
    (void)snprintf(path, sizeof path, "/proc/%ld/fd/%ld", (long)all->pid, fd);
    if (stat(path, &file) < 0 || file.st_dev != all->device || !S_ISREG(file.st_mode))
        return 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->files[i].inode == file.st_ino)
            return 0;
    if (all->count < sizeof all->files / sizeof *all->files)
        all->files[all->count++] = (struct Memfd){file.st_ino, (uint64_t)file.st_blocks * 512};
    return 0;
}

/* What the processes keep in files without a name: no process need have them mapped. */
static uint64_t memfd_memory(const SfsbPids *pids)
{
    struct stat own;
    Memfds all = {0};
    int fd = memfd_create("shapeflow", MFD_CLOEXEC);
    if (fd < 0)
        return 0;
    int status = fstat(fd, &own);
    (void)close(fd);
    if (status < 0)
        return 0;
    all.device = own.st_dev;
    for (size_t i = 0; i < pids->count; i++) {
        char folder[32];
        all.pid = pids->pids[i];
        (void)snprintf(folder, sizeof folder, "/proc/%ld/fd", (long)all.pid);
        (void)each_number(folder, add_memfd, &all);
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < all.count; i++)
        sum += all.files[i].size;
    return sum;
}

/* System V segments of this namespace, which outlive their processes. */
static uint64_t sysv_memory(void)
{
    enum { RESIDENT = 14 }; /* the words before it */
    FILE *list = fopen("/proc/sysvipc/shm", "re");
    char line[512];
    uint64_t sum = 0;
    while (list && fgets(line, sizeof line, list)) {
        char *rest = NULL, *word = strtok_r(line, " ", &rest);
        for (int i = 0; i < RESIDENT && word; i++)
            word = strtok_r(NULL, " ", &rest);
        if (word)
            sum += strtoull(word, NULL, 10); /* 0 for the head */
    }
    if (list)
        (void)fclose(list);
    return sum;
}

static uint64_t written_memory(const SfsbRun *run)
{
    struct statvfs use;
    if (run->usage_fd < 0 || fstatvfs(run->usage_fd, &use) < 0)
        return 0;
    return (uint64_t)(use.f_blocks - use.f_bfree) * use.f_frsize;
}

/* By how much shared memory has grown since the script began: of all the machine. */
static uint64_t shared_growth(void)
{
    static uint64_t before; /* of this process, which supervises one script */
    static bool is_known;
    uint64_t now = shared_memory();
    if (!is_known)
        before = now;
    is_known = true;
    return now > before ? now - before : 0;
}

uint64_t sfsb_memory_bound(const SfsbPids *pids)
{
    uint64_t sum = shared_growth();
    for (size_t i = 0; i < pids->count; i++)
        sum += private_memory(pids->pids[i]);
    return sum;
}

void sfsb_scan_begin(const SfsbRun *run, SfsbScan *scan, const SfsbPids *pids)
{
    scan->pids.count = 0;
    scan->next = 0;
    scan->own = 0;
    scan->shared = written_memory(run) + memfd_memory(pids);
    if (run->layer == SFSB_NAMESPACES)
        scan->shared += sysv_memory();
    for (size_t i = 0; i < pids->count; i++)
        if (pids_add(&scan->pids, pids->pids[i]) < 0)
            return;
}

bool sfsb_scan_step(SfsbScan *scan, uint64_t *total)
{
    if (scan->next < scan->pids.count) {
        char path[48], text[2048];
        pid_t pid = scan->pids.pids[scan->next++];
        (void)snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", (long)pid);
        if (read_text(path, text, sizeof text) <= 0 || !strstr(text, "\nPss_Anon:")) {
            scan->own += private_memory(pid); /* an old kernel, or a program of its own */
        } else {
            scan->own += field(text, "\nPss_Anon:");
            scan->shared += field(text, "\nPss_Shmem:");
        }
        return true;
    }
    /* A mapped file of a tmpfs is in two of these sums, and only once in the machine's own. */
    uint64_t grown = shared_growth();
    *total = scan->own + (scan->shared < grown ? scan->shared : grown);
    return false;
}
#else
uint64_t sfsb_memory_bound(const SfsbPids *pids)
{
    return 0;
}

void sfsb_scan_begin(const SfsbRun *run, SfsbScan *scan, const SfsbPids *pids)
{
}

bool sfsb_scan_step(SfsbScan *scan, uint64_t *total)
{
    *total = 0;
    return false;
}
#endif
