/* The audit hook: which audit events mean writing, deleting, network, processes, signals,
 * devices. Invariant: most events are dismissed after a look at their first letters; the hook
 * runs no code of the script (attributes, __fspath__), which could give one answer to the hook
 * and another to the call. Owner: `guard`, set once. Source: PEP 578; the audit events table of
 * CPython's documentation. */
#include "pymodule/sandbox/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static SfsbGuard guard;

typedef struct Event Event;
typedef int (*Handler)(const Event *event, PyObject *args);

struct Event {
    const char *name; /* ORDER: sorted, for the binary search */
    Handler handle;
    const char *verb; /* completes "blocked: ..." */
    SfsbKind kind;
    signed char path, dir_fd;  /* places in args; -1: none */
    signed char more, more_fd; /* of a second path */
    bool follow, creates;      /* of the (last) path */
};

/* judging */
static const char *advice(SfsbKind kind)
{
    switch (kind) {
    case SFSB_WRITE:
    case SFSB_DELETE:
        return "--allow-write FOLDER permits it";
    case SFSB_NET:
        return "--allow-net permits it";
    case SFSB_PROCESS:
    case SFSB_SIGNAL:
    case SFSB_DEVICE:
        break;
    }
    return "--no-sandbox permits it";
}

/* Records what was tried. Returns 1 or, where the hook refuses, -1 with the exception. */
static int check_event(const Event *event, const char *what, bool noted)
{
    if (noted) {
        sfsb_notes_add(event->kind, what, guard.refuse);
    }
    if (!guard.refuse) {
        return 1;
    }
    char text[256];
    (void)snprintf(text, sizeof text, "blocked by `shapeflow check`: %s (%s)", event->verb,
                   advice(event->kind));
    PyObject *name = PyUnicode_DecodeFSDefault(what);
    PyObject *args = name ? Py_BuildValue("(isO)", EPERM, text, name) : NULL;
    if (args) {
        PyErr_SetObject(PyExc_PermissionError, args);
    }
    Py_XDECREF(args);
    Py_XDECREF(name);
    return -1;
}

static PyObject *item(PyObject *args, int i)
{
    return i >= 0 && i < PyTuple_GET_SIZE(args) ? PyTuple_GET_ITEM(args, i) : NULL;
}

/* An int of the event, without calling anything; `otherwise` where it is none. */
static long number(PyObject *args, int i, long otherwise)
{
    PyObject *object = item(args, i);
    if (!object || !PyLong_Check(object)) {
        return otherwise;
    }
    const long value = PyLong_AsLong(object);
    if (value == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        return otherwise;
    }
    return value;
}

/* The text of a str or bytes: 0; 1 where it is neither, or too long, or holds a NUL. */
static int text_of(PyObject *object, char *out, size_t room)
{
    PyObject *bytes = NULL;
    if (object && PyUnicode_Check(object)) {
        bytes = PyUnicode_EncodeFSDefault(object);
        PyErr_Clear();
    } else if (object && PyBytes_Check(object)) {
        Py_INCREF(object);
        bytes = object;
    }
    const bool fits = bytes && (size_t)PyBytes_GET_SIZE(bytes) < room &&
                      strlen(PyBytes_AS_STRING(bytes)) == (size_t)PyBytes_GET_SIZE(bytes);
    if (fits) {
        memcpy(out, PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes) + 1);
    }
    Py_XDECREF(bytes);
    return fits ? 0 : 1;
}

static bool ends_in_bytecode(const char *text)
{
    const char *dot = strrchr(text, '/');
    dot = strstr(dot ? dot : text, ".pyc"); /* importlib writes x.pyc.12345 first */
    return dot || strstr(text, "/__pycache__");
}

/* files */
#define FAILS_BY_ITSELF 2

/* As judge(); 0 where the path is free, FAILS_BY_ITSELF where there is nothing to change. */
static int check_path(const Event *event, PyObject *object, long dir_fd, bool follow, bool creates)
{
    SfsbPath path = {.dir_fd = (int)dir_fd, .follow = follow, .creates = creates};
    if (!object || object == Py_None) {
        return 0;
    }
    if (PyLong_Check(object)) {
        const long fd = PyLong_AsLong(object);
        PyErr_Clear();
        path.follow = true;
        path.creates = false;
#ifdef F_GETPATH
        if (fcntl((int)fd, F_GETPATH, path.text) != 0) {
            return 0;
        }
#else
        (void)snprintf(path.text, sizeof path.text, "/proc/self/fd/%ld", fd);
#endif
    } else if (text_of(object, path.text, sizeof path.text) != 0) {
        /* A path that is too long or holds a NUL makes the call fail by itself. An object that
         * is neither str nor bytes could name another file to the call than to this hook; only a
         * script that bypasses os and io can pass one. */
        const bool is_text = PyUnicode_Check(object) || PyBytes_Check(object);
        return is_text || !guard.refuse ? 0 : check_event(event, Py_TYPE(object)->tp_name, true);
    }
    switch (sfsb_place(&guard, &path)) {
    case SFSB_PLACE_FREE:
        return 0;
    case SFSB_PLACE_ABSENT:
        return FAILS_BY_ITSELF;
    case SFSB_PLACE_DEVICE: {
        Event device = *event;
        device.kind = SFSB_DEVICE;
        return check_event(&device, path.text, true);
    }
    case SFSB_PLACE_OUTSIDE:
        break;
    }
    return check_event(event, path.text, !ends_in_bytecode(path.text));
}

static int on_path(const Event *event, PyObject *args)
{
    if (event->more >= 0) {
        const int first = check_path(event, item(args, event->path),
                                     number(args, event->dir_fd, -1), false, false);
        if (first != 0) {
            return first;
        }
    }
    const int last = event->more >= 0 ? event->more : event->path;
    const int fd = event->more >= 0 ? event->more_fd : event->dir_fd;
    return check_path(event, item(args, last), number(args, fd, -1), event->follow, event->creates);
}

/* open(path, mode, flags): of io.open and, without a mode, of os.open. */
static int on_open(const Event *event, PyObject *args)
{
    PyObject *path = item(args, 0), *mode = item(args, 1);
    const long flags = number(args, 2, 0);
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC | O_APPEND)) != 0;
    bool creates = (flags & O_CREAT) != 0;
    if (mode && PyUnicode_Check(mode)) { /* its flags may not be known */
        char text[16];
        if (text_of(mode, text, sizeof text) == 0 && strpbrk(text, "wax+")) {
            writes = true;
            creates = creates || strpbrk(text, "wax");
        }
    }
    if (!writes || !path || PyLong_Check(path)) {
        return 0;
    }
#ifdef O_TMPFILE
    creates = creates || (flags & O_TMPFILE) == O_TMPFILE;
#endif
    char text[PATH_MAX];
    if (guard.refuse && mode == Py_None && text_of(path, text, sizeof text) == 0 &&
        text[0] != '/') {
        /* the event does not say to which folder it is relative */
        return check_event(event, text, true);
    }
    const bool entry = (flags & O_NOFOLLOW) != 0 || ((flags & O_EXCL) && (flags & O_CREAT));
    return check_path(event, path, -1, !entry, creates);
}

static int on_sqlite(const Event *event, PyObject *args)
{
    char text[PATH_MAX];
    PyObject *path = item(args, 0);
    if (text_of(path, text, sizeof text) == 0 && (text[0] == '\0' || strstr(text, ":memory:"))) {
        return 0;
    }
    if (text_of(path, text, sizeof text) == 0 && strncmp(text, "file:", 5) == 0) {
        char *query = strchr(text, '?');
        if (query && (strstr(query, "mode=ro") || strstr(query, "immutable=1") ||
                      strstr(query, "mode=memory"))) {
            return 0;
        }
        if (query) {
            *query = '\0';
        }
        const char *name = text + 5;
        if (strncmp(name, "//", 2) == 0) { /* file:///x, file://localhost/x */
            name = strchr(name + 2, '/');
        }
        if (!name || strchr(name, '%')) {
            return check_event(event, text, true);
        }
        PyObject *plain = PyUnicode_DecodeFSDefault(name);
        const int verdict = plain ? check_path(event, plain, -1, true, true) : -1;
        Py_XDECREF(plain);
        return verdict;
    }
    return check_path(event, path, -1, true, true);
}

/* network */
/* An address as its user wrote it: "host:port", a path, else its type. */
static void address_text(PyObject *address, char *out, size_t room)
{
    char host[256];
    if (text_of(address, out, room) == 0) {
        return;
    }
    (void)snprintf(out, room, "%s", address ? Py_TYPE(address)->tp_name : "?");
    if (address && PyTuple_Check(address) && PyTuple_GET_SIZE(address) >= 2 &&
        text_of(PyTuple_GET_ITEM(address, 0), host, sizeof host) == 0) {
        (void)snprintf(out, room, "%s:%ld", host, number(address, 1, 0));
    }
}

/* socket.connect(self, address), bind, sendto, sendmsg. */
static int on_address(const Event *event, PyObject *args)
{
    PyObject *address = item(args, 1);
    if (guard.allow_net || !address || address == Py_None) {
        return 0; /* sendmsg over a connection or a socketpair */
    }
    if (PyUnicode_Check(address) || PyBytes_Check(address)) {
        SfsbPath path = {.dir_fd = -1, .follow = true, .creates = true};
        if (text_of(address, path.text, sizeof path.text) == 0 && path.text[0] != '\0') {
            const SfsbPlace place = sfsb_place(&guard, &path);
            if (place == SFSB_PLACE_FREE) {
                return 0; /* a socket that the check itself made */
            }
        }
    }
    char text[PATH_MAX];
    address_text(address, text, sizeof text);
    return check_event(event, text, true);
}

/* socket.__new__(self, family, type, protocol): refused already, as listen() needs no address. */
static int on_socket(const Event *event, PyObject *args)
{
    const long family = number(args, 1, AF_UNSPEC);
    PyObject *self = item(args, 0);
    /* -1: socket.socket(fileno=...), whose base class would create a new socket for -1. */
    const bool adopts =
        family == -1 && self && strcmp(Py_TYPE(self)->tp_name, "_socket.socket") != 0;
    const bool local = family == AF_UNIX || adopts;
    return guard.allow_net || !guard.refuse || local ? 0 : check_event(event, "socket", true);
}

static bool is_numeric_host(const char *host)
{
    return host[0] == '\0' || strcmp(host, "localhost") == 0 || strchr(host, ':') ||
           strspn(host, "0123456789.") == strlen(host);
}

/* getaddrinfo(host, ...), gethostbyname(host)...: asks other machines, except for an empty host. */
static int on_host(const Event *event, PyObject *args)
{
    char host[512];
    PyObject *object = item(args, 0);
    if (guard.allow_net || !object || object == Py_None) {
        return 0;
    }
    if (text_of(object, host, sizeof host) != 0) {
        (void)snprintf(host, sizeof host, "%s", Py_TYPE(object)->tp_name);
    } else if (is_numeric_host(host)) {
        return 0;
    }
    return check_event(event, host, true);
}

/* gethostbyaddr(address), getnameinfo(address): the argument is a numeric address. */
static int on_reverse(const Event *event, PyObject *args)
{
    char text[512];
    if (guard.allow_net) {
        return 0;
    }
    address_text(item(args, 0), text, sizeof text);
    return check_event(event, text, true);
}

/* Recorded because it tells more than the socket event that follows, which is the one refused. */
static int on_connection(const Event *event, PyObject *args)
{
    char text[PATH_MAX];
    if (guard.allow_net || text_of(item(args, event->path), text, sizeof text - 16) != 0) {
        return 0;
    }
    if (strncmp(text, "file:", 5) == 0 || strncmp(text, "data:", 5) == 0) {
        return 0;
    }
    if (event->more >= 0) {
        const size_t size = strlen(text);
        (void)snprintf(text + size, sizeof text - size, ":%ld", number(args, event->more, 0));
    }
    sfsb_notes_add(SFSB_NET, text, guard.refuse);
    return 0;
}

/* processes, signals, devices */
static int on_program(const Event *event, PyObject *args)
{
    char text[PATH_MAX];
    PyObject *what = item(args, event->path);
    if (what == Py_None || (what && (PyList_Check(what) || PyTuple_Check(what)))) {
        PyObject *list = what == Py_None ? item(args, event->more) : what;
        if (list && PyList_Check(list) && PyList_GET_SIZE(list) > 0) {
            what = PyList_GET_ITEM(list, 0);
        } else if (list && PyTuple_Check(list) && PyTuple_GET_SIZE(list) > 0) {
            what = PyTuple_GET_ITEM(list, 0);
        }
    }
    if (text_of(what, text, sizeof text) != 0) {
        (void)snprintf(text, sizeof text, "%s", what ? Py_TYPE(what)->tp_name : "?");
    }
    if (guard.allow_exec || !guard.refuse) {
        sfsb_notes_add(event->kind, text, false);
        return 0;
    }
    return check_event(event, text, true);
}

/* _posixsubprocess.fork_exec(...), of which only shapeflow.sandbox.unaudited tells.
 * subprocess.Popen has told already; who calls it directly is refused here. */
static int on_exec(const Event *event, PyObject *args)
{
    return guard.allow_exec ? 0 : on_program(event, args);
}

static int on_kill(const Event *event, PyObject *args)
{
    const pid_t pid = (pid_t)number(args, 0, -1);
    if ((pid > 0 && number(args, 1, 1) == 0) || sfsb_is_own_process(&guard, pid)) {
        return 0; /* signal 0 only asks */
    }
    char text[32];
    (void)snprintf(text, sizeof text, "process %ld", (long)pid);
    return check_event(event, text, true);
}

static int on_prlimit(const Event *event, PyObject *args)
{
    const pid_t pid = (pid_t)number(args, 0, 0);
    if (pid == 0 || item(args, 2) == Py_None || sfsb_is_own_process(&guard, pid)) {
        return 0;
    }
    return check_event(event, "another process", true);
}

/* fcntl.fcntl(fd, command, argument): who gets a descriptor's signals. */
static int on_fcntl(const Event *event, PyObject *args)
{
    const long command = number(args, 1, 0);
    const pid_t pid = (pid_t)number(args, 2, -1);
    const bool asks_signals = command == F_SETOWN
#ifdef F_SETOWN_EX
                              || command == F_SETOWN_EX
#endif
        ;
    if (!asks_signals || (command == F_SETOWN && sfsb_is_own_process(&guard, pid))) {
        return 0;
    }
    return check_event(event, "F_SETOWN", true);
}

static int on_ioctl(const Event *event, PyObject *args)
{
    const unsigned long request = (unsigned long)number(args, 1, 0) & 0xffffffffUL;
    static const unsigned long harmful[] = {
#ifdef __linux__
        0x40086602UL, 0x40046602UL, 0x401c5820UL, /* file flags: FS_IOC_SETFLAGS, FSSETXATTR */
        TIOCLINUX,
#endif
#ifdef TIOCSTI
        TIOCSTI, /* types into a terminal */
#endif
        TIOCSETD,
    };
    for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++) {
        if (request == (harmful[i] & 0xffffffffUL)) {
            char text[32];
            (void)snprintf(text, sizeof text, "ioctl 0x%lx", request);
            return check_event(event, text, true);
        }
    }
    return 0;
}

/* shapeflow.device(what) */
static int on_what(const Event *event, PyObject *args)
{
    char text[256];
    return check_event(event, text_of(item(args, 0), text, sizeof text) == 0 ? text : "?", true);
}

static int on_device(const Event *event, PyObject *args)
{
    return check_event(event, event->name, true);
}

/* Functions of C that do what the events above are about. Sorted. A name is looked up whole, but
 * for the families at the end. */
static const char *const c_functions[] = {
    "accept",
    "acct",
    "bind",
    "bpf",
    "chflags",
    "chmod",
    "chown",
    "clone",
    "clone3",
    "connect",
    "copy_file_range",
    "creat",
    "creat64",
    "daemon",
    "dlmopen",
    "dlopen",
    "dlsym",
    "dlvsym",
    "fchmod",
    "fchmodat",
    "fchown",
    "fchownat",
    "fopen",
    "fopen64",
    "fork",
    "forkpty",
    "fremovexattr",
    "freopen",
    "freopen64",
    "fsetxattr",
    "futimens",
    "futimes",
    "futimesat",
    "getaddrinfo",
    "gethostbyname",
    "init_module",
    "io_uring_enter",
    "io_uring_setup",
    "ioctl",
    "kill",
    "killpg",
    "lchmod",
    "lchown",
    "link",
    "linkat",
    "listen",
    "lremovexattr",
    "lsetxattr",
    "lutimes",
    "mkdir",
    "mkdirat",
    "mkdtemp",
    "mkfifo",
    "mkfifoat",
    "mknod",
    "mknodat",
    "mkostemp",
    "mkstemp",
    "mkstemp64",
    "mount",
    "mq_open",
    "mq_unlink",
    "msgctl",
    "msgget",
    "open",
    "open64",
    "openat",
    "openat2",
    "openat64",
    "pidfd_send_signal",
    "popen",
    "prctl",
    "process_vm_writev",
    "ptrace",
    "quotactl",
    "reboot",
    "remove",
    "removexattr",
    "rename",
    "renameat",
    "renameat2",
    "renamex_np",
    "rmdir",
    "semctl",
    "semget",
    "sendmmsg",
    "sendmsg",
    "sendto",
    "setdomainname",
    "sethostname",
    "setns",
    "setpriority",
    "setxattr",
    "shm_open",
    "shm_unlink",
    "shmctl",
    "shmget",
    "sigqueue",
    "socket",
    "symlink",
    "symlinkat",
    "syscall",
    "system",
    "tgkill",
    "tkill",
    "truncate",
    "truncate64",
    "umount",
    "umount2",
    "unlink",
    "unlinkat",
    "unshare",
    "utime",
    "utimensat",
    "utimes",
    "vfork",
    "wordexp",
};
static const char *const c_families[] = {"_PySys_ClearAudit", "__", "exec", "posix_spawn"};

static int compare_names(const void *key, const void *row)
{
    return strcmp(key, *(const char *const *)row);
}

/* ctypes.dlsym(library, name): the call of the function has no event. Where the kernel confines
 * the script there is no need to check. */
static int on_symbol(const Event *event, PyObject *args)
{
    char name[256];
    if (!guard.refuse || guard.allow_exec || text_of(item(args, 1), name, sizeof name) != 0) {
        return 0;
    }
    for (size_t i = 0; i < sizeof c_families / sizeof *c_families; i++) {
        if (strncmp(name, c_families[i], strlen(c_families[i])) == 0) {
            return check_event(event, name, true);
        }
    }
    const size_t rows = sizeof c_functions / sizeof *c_functions;
    const bool harmful = bsearch(name, c_functions, rows, sizeof *c_functions, compare_names);
    return harmful ? check_event(event, name, true) : 0;
}

/* the table */
/* clang-format off */
#define PATH(n, k, v, p, fd, f, c) {n, on_path, v, k, p, fd, -1, -1, f, c}
#define TWO(n, k, v, p, fd, m, mfd, c) {n, on_path, v, k, p, fd, m, mfd, false, c}
#define EVENT(n, h, k, v) {n, h, v, k, 0, -1, -1, -1, false, false}
#define AT(n, h, k, v, p, m) {n, h, v, k, p, -1, m, -1, false, false}
static const Event events[] = {
    EVENT("ctypes.dlsym",        on_symbol,     SFSB_PROCESS, "calling a function of C"),
    EVENT("ctypes.dlsym/handle", on_symbol,     SFSB_PROCESS, "calling a function of C"),
    EVENT("fcntl.fcntl",         on_fcntl,      SFSB_SIGNAL,  "directing signals"),
    EVENT("fcntl.ioctl",         on_ioctl,      SFSB_DEVICE,  "changing a device or file flags"),
    AT("ftplib.connect",         on_connection, SFSB_NET,     "connecting", 1, 2),
    AT("http.client.connect",    on_connection, SFSB_NET,     "connecting", 1, 2),
    EVENT("open",                on_open,       SFSB_WRITE,   "opening for writing"),
    PATH("os.chflags",           SFSB_WRITE,  "changing a file's flags",  0, -1, true,  false),
    PATH("os.chmod",             SFSB_WRITE,  "changing a file's mode",   0, 2,  true,  false),
    PATH("os.chown",             SFSB_WRITE,  "changing a file's owner",  0, 3,  true,  false),
    EVENT("os.exec",             on_program,    SFSB_PROCESS, "starting another program"),
    EVENT("os.kill",             on_kill,       SFSB_SIGNAL,  "a signal to another process"),
    EVENT("os.killpg",           on_kill,       SFSB_SIGNAL,  "a signal to other processes"),
    TWO("os.link",               SFSB_WRITE,  "linking a file",           0, 2, 1, 3, true),
    PATH("os.mkdir",             SFSB_WRITE,  "making a folder",          0, 2,  false, true),
    EVENT("os.posix_spawn",      on_program,    SFSB_PROCESS, "starting another program"),
    PATH("os.remove",            SFSB_DELETE, "removing a file",          0, 1,  false, false),
    PATH("os.removexattr",       SFSB_WRITE,  "changing a file's attributes", 0, -1, true, false),
    TWO("os.rename",             SFSB_WRITE,  "renaming",                 0, 2, 1, 3, true),
    PATH("os.rmdir",             SFSB_DELETE, "removing a folder",        0, 1,  false, false),
    PATH("os.setxattr",          SFSB_WRITE,  "changing a file's attributes", 0, -1, true, false),
    AT("os.spawn",               on_program,    SFSB_PROCESS, "starting another program", 1, -1),
    PATH("os.symlink",           SFSB_WRITE,  "making a symbolic link",   1, 2,  false, true),
    EVENT("os.system",           on_program,    SFSB_PROCESS, "starting another program"),
    PATH("os.truncate",          SFSB_WRITE,  "truncating a file",        0, -1, true,  false),
    PATH("os.utime",             SFSB_WRITE,  "changing a file's times",  0, 3,  true,  false),
    EVENT("pty.spawn",           on_program,    SFSB_PROCESS, "starting another program"),
    EVENT("resource.prlimit",    on_prlimit,    SFSB_SIGNAL,  "changing another process"),
    EVENT("shapeflow.device",    on_what,       SFSB_DEVICE,  "changing the machine"),
    EVENT("shapeflow.exec",      on_exec,       SFSB_PROCESS, "starting another program"),
    EVENT("shapeflow.signal",    on_kill,       SFSB_SIGNAL,  "changing another process"),
    AT("smtplib.connect",        on_connection, SFSB_NET,     "connecting", 1, 2),
    EVENT("socket.__new__",      on_socket,     SFSB_NET,     "a network socket"),
    EVENT("socket.bind",         on_address,    SFSB_NET,     "listening on the network"),
    EVENT("socket.connect",      on_address,    SFSB_NET,     "connecting"),
    EVENT("socket.getaddrinfo",  on_host,       SFSB_NET,     "looking up a host"),
    EVENT("socket.gethostbyaddr", on_reverse,   SFSB_NET,     "looking up a host"),
    EVENT("socket.gethostbyname", on_host,      SFSB_NET,     "looking up a host"),
    EVENT("socket.getnameinfo",  on_reverse,    SFSB_NET,     "looking up a host"),
    EVENT("socket.sendmsg",      on_address,    SFSB_NET,     "sending"),
    EVENT("socket.sendto",       on_address,    SFSB_NET,     "sending"),
    EVENT("socket.sethostname",  on_device,     SFSB_DEVICE,  "naming the machine"),
    EVENT("sqlite3.connect",     on_sqlite,     SFSB_WRITE,   "opening a database"),
    AT("subprocess.Popen",       on_program,    SFSB_PROCESS, "starting another program", 0, 1),
    EVENT("syslog.syslog",       on_device,     SFSB_DEVICE,  "writing to the system's log"),
    EVENT("urllib.Request",      on_connection, SFSB_NET,     "fetching"),
};
/* clang-format on */

static int compare_event(const void *key, const void *row)
{
    return strcmp(key, ((const Event *)row)->name);
}

/* Could `name` be in the table? Looks at up to five letters and dismisses the frequent events:
 * builtins.id, compile, exec, import, object.__getattr__, sys._getframe, os.listdir, os.scandir. */
static inline bool may_matter(const char *name)
{
    switch (name[0]) {
    case 'o':
        if (name[1] == 's' && name[2] == '.') {
            return (name[3] != 'l' || (name[4] == 'i' && name[5] == 'n')) &&
                   (name[3] != 's' || name[4] != 'c');
        }
        return name[1] == 'p';
    case 's':
        if (name[1] == 'y') {
            return name[2] == 's' && name[3] == 'l';
        }
        return name[1] != 'h' || name[2] == 'a'; /* shutil. */
    case 'c':
        return name[1] == 't';
    case 'f':
        return name[1] == 'c' || name[1] == 't';
    case 'h':
    case 'r':
    case 'u':
        return true;
    case 'p':
        return name[1] == 't';
    default:
        return false;
    }
}

static int hook(const char *name, PyObject *args, void *nothing)
{
    if (!may_matter(name) || !args || !PyTuple_Check(args)) {
        return 0;
    }
    const Event *event =
        bsearch(name, events, sizeof events / sizeof *events, sizeof *events, compare_event);
    if (!event) {
        return 0;
    }
    return event->handle(event, args);
}

/* methods */
/* Resolves the links of each folder; a folder that does not exist permits nothing. */
static int read_allowed(PyObject *list)
{
    PyObject *fast = PySequence_Fast(list, "allowed must be a list of paths");
    if (!fast) {
        return -1;
    }
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(fast);
    guard.allowed = PyMem_RawCalloc((size_t)size + 1, sizeof *guard.allowed);
    int status = guard.allowed ? 0 : -1;
    if (status != 0) {
        PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; i < size && status == 0; i++) {
        PyObject *bytes = NULL;
        if (!PyUnicode_FSConverter(PySequence_Fast_GET_ITEM(fast, i), &bytes)) {
            status = -1;
            break;
        }
        char *real = realpath(PyBytes_AS_STRING(bytes), NULL);
        if (real) {
            guard.allowed[guard.nallowed++] = real;
        }
        Py_DECREF(bytes);
    }
    Py_DECREF(fast);
    return status;
}

/* guard(refuse, allowed, allow_net, allow_exec=False): installs the hook for good. */
PyObject *sfsb_guard(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"refuse", "allowed", "allow_net", "allow_exec", NULL};
    int refuse, allow_net, allow_exec = 0;
    PyObject *allowed;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "pOp|p:guard", names, &refuse, &allowed,
                                     &allow_net, &allow_exec)) {
        return NULL;
    }
    if (guard.installed) {
        PyErr_SetString(PyExc_RuntimeError, "the guard is installed already");
        return NULL;
    }
    if (read_allowed(allowed) != 0 || !sfsb_notes_init()) {
        return NULL;
    }
    guard.refuse = refuse;
    guard.allow_net = allow_net;
    guard.allow_exec = allow_exec;
    guard.root = getpid();
    if (PySys_AddAuditHook(hook, NULL) != 0) {
        return NULL;
    }
    guard.installed = true;
    Py_RETURN_NONE;
}

/* policy(): guard()'s arguments as they are in force; None before it is called. */
PyObject *sfsb_policy(PyObject *module, PyObject *noargs)
{
    if (!guard.installed) {
        Py_RETURN_NONE;
    }
    PyObject *allowed = PyList_New(0);
    for (size_t i = 0; allowed && i < guard.nallowed; i++) {
        PyObject *path = PyUnicode_DecodeFSDefault(guard.allowed[i]);
        if (!path || PyList_Append(allowed, path) != 0) {
            Py_CLEAR(allowed);
        }
        Py_XDECREF(path);
    }
    if (!allowed) {
        return NULL;
    }
    return Py_BuildValue("(NNNN)", PyBool_FromLong(guard.refuse), allowed,
                         PyBool_FromLong(guard.allow_net), PyBool_FromLong(guard.allow_exec));
}

/* events(): [(kind, what, file, line, blocked, count)] since the guard was installed. */
PyObject *sfsb_events(PyObject *module, PyObject *noargs)
{
    return sfsb_notes_list();
}

/* note(kind, what): for what shapeflow.sandbox.redirect does instead of a call with an event. */
PyObject *sfsb_count_event(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *what;
    if (!PyArg_ParseTuple(args, "sO&:note", &name, PyUnicode_FSConverter, &what)) {
        return NULL;
    }
    const int kind = sfsb_kind_named(name);
    if (kind >= 0 && !ends_in_bytecode(PyBytes_AS_STRING(what))) {
        sfsb_notes_add((SfsbKind)kind, PyBytes_AS_STRING(what), false);
    }
    Py_DECREF(what);
    if (kind < 0) {
        return PyErr_Format(PyExc_ValueError, "there is no kind of event called %s", name);
    }
    Py_RETURN_NONE;
}
