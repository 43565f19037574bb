/* The filter of system calls of the kernel-backed layers: it refuses what undoes mounts and
 * namespaces, what bypasses them, and what Landlock does not see. Assembled in S, which knows
 * its own process number. Calls that programs probe for and can do without give ENOSYS, so that
 * they fall back. */
#ifdef __linux__
#include "pymodule/sandbox/kernel.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCH AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ARCH AUDIT_ARCH_PPC64LE
#endif

/* Calls that are newer than a C library's headers have one number on all of these machines. */
enum {
    CALL_clone3 = 435,
    CALL_pidfd_getfd = 438,
    CALL_fchmodat2 = 452,
    CALL_setxattrat = 463,
    CALL_removexattrat = 466,
    CALL_open_tree_attr = 467,
    CALL_file_setattr = 469,
};

#ifdef ARCH
enum { ROOM = 512 };

typedef struct Program {
    struct sock_filter code[ROOM];
    unsigned short length;
    bool is_full;
} Program;

static void emit(Program *p, unsigned code, unsigned yes, unsigned no, unsigned value)
{
    if (p->length == ROOM) {
        p->is_full = true;
        return;
    }
    p->code[p->length++] = (struct sock_filter){
        .code = (uint16_t)code, .jt = (uint8_t)yes, .jf = (uint8_t)no, .k = value};
}

static void load(Program *p, size_t offset)
{
    emit(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned)offset);
}

static void load_number(Program *p)
{
    load(p, offsetof(struct seccomp_data, nr));
}

/* The low half of an argument; the kernel reads no more of those that are looked at here. */
static void load_low(Program *p, unsigned argument)
{
    load(p, offsetof(struct seccomp_data, args) + 8 * argument);
}

static void load_high(Program *p, unsigned argument)
{
    load(p, offsetof(struct seccomp_data, args) + 8 * argument + 4);
}

static void answer(Program *p, int error)
{
    emit(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (unsigned)error);
}

static void allow(Program *p)
{
    emit(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
}

/* If the loaded number equals the value the next instruction runs, else it is skipped. */
static void when(Program *p, unsigned value)
{
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
}

static void when_not(Program *p, unsigned value)
{
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value);
}

static void when_any(Program *p, unsigned bits)
{
    emit(p, BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
}

static void refuse(Program *p, const long *calls, size_t count, int error)
{
    for (size_t i = 0; i < count; i++) {
        when(p, (unsigned)calls[i]);
        answer(p, error);
    }
}
#define REFUSE(p, error, ...)                                                                      \
    do {                                                                                           \
        static const long refused_calls[] = {__VA_ARGS__};                                         \
        refuse((p), refused_calls, sizeof refused_calls / sizeof *refused_calls, (error));         \
    } while (0)

/* begin(call) ... end(): the instructions between run for this call only, and leave the call's
 * number loaded. */
static unsigned short begin(Program *p, long call)
{
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, (unsigned)call);
    return p->length;
}

static void end(Program *p, unsigned short start)
{
    load_number(p);
    if (!p->is_full)
        p->code[start - 1].jf = (uint8_t)(p->length - start);
}

/* Only the script itself (0 or its number) may be the call's first argument. */
static void only_self(Program *p, long call, unsigned argument)
{
    unsigned short start = begin(p, call);
    load_low(p, argument);
    when(p, 0);
    allow(p);
    when_not(p, (unsigned)getpid());
    answer(p, EPERM);
    end(p, start);
}

/* what both layers refuse */
static void refuse_reach(Program *p)
{
    REFUSE(p, EPERM, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns,
           SYS_unshare, /* */
           428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */,
           432 /* fsmount */, 433 /* fspick */, SYS_mount_setattr, CALL_open_tree_attr);
    REFUSE(p, EPERM, SYS_open_by_handle_at, SYS_fanotify_init, SYS_bpf, SYS_perf_event_open,
           SYS_userfaultfd, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_kexec_load,
           SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon,
           SYS_swapoff, SYS_acct, SYS_quotactl, 443 /* quotactl_fd */, SYS_settimeofday,
           SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname,
           SYS_syslog, SYS_vhangup, SYS_kcmp, SYS_ptrace, SYS_process_vm_readv,
           SYS_process_vm_writev, CALL_pidfd_getfd);
#ifdef SYS_kexec_file_load
    REFUSE(p, EPERM, SYS_kexec_file_load);
#endif
#ifdef __x86_64__
    REFUSE(p, EPERM, SYS_iopl, SYS_ioperm);
#endif
    REFUSE(p, ENOSYS, 425 /* io_uring_setup */, 426 /* io_uring_enter */,
           427 /* io_uring_register */);
    /* The flags of clone3 are behind a pointer that the filter cannot read; C libraries fall
     * back to clone. */
    REFUSE(p, ENOSYS, CALL_clone3);
    unsigned short start = begin(p, SYS_clone);
    load_low(p, 0);
    when_any(p, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
                    CLONE_NEWNET | CLONE_NEWCGROUP);
    answer(p, EPERM);
    end(p, start);
    static const unsigned personalities[] = {0xffffffff, 0, 0x40000 /* ADDR_NO_RANDOMIZE */};
    start = begin(p, SYS_personality);
    load_low(p, 0);
    for (size_t i = 0; i < sizeof personalities / sizeof *personalities; i++) {
        when(p, personalities[i]);
        allow(p);
    }
    answer(p, EPERM);
    end(p, start);
    /* Refuses typing into the user's terminal. What a program may set there while it runs would
     * stay set for the shell that follows: it is reported as done, and is not. */
    start = begin(p, SYS_ioctl);
    load_low(p, 1);
    REFUSE(p, EPERM, TIOCSTI, TIOCLINUX, TIOCSETD, TIOCCONS);
    REFUSE(p, 0, TCSETS, TCSETSW, TCSETSF, TCSETA, TCSETAW, TCSETAF, TCXONC, TCFLSH, TIOCSWINSZ,
           TIOCEXCL, 0x402c542b /* TCSETS2 */, 0x402c542c /* TCSETSW2 */,
           0x402c542d /* TCSETSF2 */);
    end(p, start);
}

static void refuse_sockets(Program *p, const SfsbRun *run)
{
    bool is_bare = run->layer != SFSB_NAMESPACES && !run->policy->allow_net;
    unsigned short start = begin(p, SYS_socket);
    load_low(p, 0);
    if (is_bare) {
        REFUSE(p, EACCES, AF_INET, AF_INET6);
    } else {
        when(p, AF_INET);
        allow(p);
        when(p, AF_INET6);
        allow(p);
    }
    when(p, AF_NETLINK);
    allow(p);
    when_not(p, AF_UNIX);
    answer(p, EAFNOSUPPORT);
    if (is_bare) { /* a datagram names its receiver, where the filter can't read it */
        load_low(p, 1);
        emit(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, 15);
        when(p, SOCK_DGRAM);
        answer(p, EACCES);
    }
    end(p, start);
    if (!is_bare)
        return;
    start = begin(p, SYS_socketpair);
    load_low(p, 1);
    emit(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, 15);
    when(p, SOCK_DGRAM);
    answer(p, EACCES);
    end(p, start);
    /* The daemons of this machine listen on sockets with a path, which Landlock lets anyone use. */
    REFUSE(p, EACCES, SYS_connect);
}

/* what only the landlock layer refuses: no namespace hides it there */
static void refuse_unseen(Program *p, int landlock)
{
    /* Landlock sees no change of a file's metadata. shutil.copy() and tar make such changes
     * after they have written a file, so they succeed without effect rather than fail. */
    REFUSE(p, 0, SYS_fchmod, SYS_fchmodat, CALL_fchmodat2, SYS_fchown, SYS_fchownat, SYS_utimensat,
           SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, CALL_setxattrat, SYS_removexattr,
           SYS_lremovexattr, SYS_fremovexattr, CALL_removexattrat, CALL_file_setattr);
#ifdef SYS_chmod /* the older half of the calls, which newer machines never had */
    REFUSE(p, 0, SYS_chmod, SYS_chown, SYS_lchown);
#endif
#ifdef SYS_utime
    REFUSE(p, 0, SYS_utime, SYS_utimes, SYS_futimesat);
#endif
    REFUSE(p, EPERM, SYS_shmget, SYS_semget, SYS_msgget, SYS_mq_open, SYS_mq_unlink);
    unsigned short start = begin(p, SYS_ioctl);
    load_low(p, 1);
    REFUSE(p, EPERM, 0x40086602 /* FS_IOC_SETFLAGS */, 0x40046602, 0x40087602 /* ..._SETVERSION */,
           0x40047602, 0x401c5820 /* FS_IOC_FSSETXATTR */);
    end(p, start);
    only_self(p, SYS_sched_setaffinity, 0);
    only_self(p, SYS_sched_setscheduler, 0);
    only_self(p, SYS_sched_setparam, 0);
    only_self(p, SYS_sched_setattr, 0);
    start = begin(p, SYS_setpriority); /* not of all that the user runs, either */
    load_low(p, 0);
    when_not(p, PRIO_PROCESS);
    answer(p, EPERM);
    end(p, start);
    only_self(p, SYS_setpriority, 1);
    start = begin(p, SYS_ioprio_set);
    load_low(p, 0);
    when_not(p, 1 /* IOPRIO_WHO_PROCESS */);
    answer(p, EPERM);
    end(p, start);
    only_self(p, SYS_ioprio_set, 1);
    start = begin(p, SYS_prlimit64); /* reading another's limits is fine */
    load_low(p, 2);
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0);
    load_high(p, 2);
    when(p, 0);
    allow(p);
    load_low(p, 0);
    when(p, 0);
    allow(p);
    when_not(p, (unsigned)getpid());
    answer(p, EPERM);
    end(p, start);
    /* Landlock confines signals from version 6 on; before that, at least our own processes are
     * protected */
    if (landlock < 6) {
        static const long calls[] = {SYS_kill, SYS_tkill, SYS_tgkill};
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            start = begin(p, calls[i]);
            load_low(p, 0);
            REFUSE(p, EPERM, 0xffffffffL /* everyone */, 1);
            when(p, (unsigned)getppid());
            answer(p, EPERM);
            end(p, start);
        }
        REFUSE(p, EPERM, 424 /* pidfd_send_signal */);
    }
    /* before version 3 Landlock does not see truncation, which open() for reading may also do */
    if (landlock < 3) {
        enum { ACCESS = 3, TRUNCATE = 01000 };
        REFUSE(p, EACCES, SYS_truncate);
        REFUSE(p, ENOSYS, 437 /* openat2 */);
        start = begin(p, SYS_openat);
        load_low(p, 2);
        emit(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, ACCESS | TRUNCATE);
        when(p, TRUNCATE);
        answer(p, EACCES);
        end(p, start);
#ifdef SYS_open
        start = begin(p, SYS_open);
        load_low(p, 1);
        emit(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, ACCESS | TRUNCATE);
        when(p, TRUNCATE);
        answer(p, EACCES);
        end(p, start);
#endif
    }
}

int sfsb_seccomp(const SfsbRun *run, int landlock)
{
    static Program program; /* 4 kB: not for the stack; used once in a process */
    Program *p = &program;
    p->length = 0;
    load(p, offsetof(struct seccomp_data, arch));
    when_not(p, ARCH); /* int 0x80 has other numbers for the same calls */
    answer(p, ENOSYS);
    load_number(p);
#ifdef __x86_64__
    emit(p, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000); /* so has x32 */
    answer(p, ENOSYS);
#endif
    refuse_reach(p);
    refuse_sockets(p, run);
    if (run->layer != SFSB_NAMESPACES)
        refuse_unseen(p, landlock);
    allow(p);
    if (p->is_full) {
        errno = E2BIG;
        return -1;
    }
    struct sock_fprog filter = {.len = p->length, .filter = p->code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}
#else
int sfsb_seccomp(const SfsbRun *run, int landlock)
{
    errno = ENOSYS; /* an architecture whose system calls are not listed here */
    return -1;
}
#endif
#endif
