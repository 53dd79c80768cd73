// System calls that no tool needs, by name.
#pragma once

#include <array>

namespace toolhost::sandbox {

// `number` is for calls that are newer than libseccomp; it is the same on every architecture.
struct RefusedCall {
    const char* name;
    int number = -1;
};

// clang-format off
inline constexpr std::array kNeverAllowed = {
    // other processes
    RefusedCall{"ptrace"}, RefusedCall{"process_vm_readv"}, RefusedCall{"process_vm_writev"},
    RefusedCall{"process_madvise"}, RefusedCall{"process_mrelease", 448}, RefusedCall{"kcmp"},
    RefusedCall{"pidfd_getfd"}, RefusedCall{"migrate_pages"}, RefusedCall{"move_pages"},
    // pidfd_open is allowed: libraries wait for their children with it, and signals are restricted
    // elsewhere.
    // mounts and namespaces
    RefusedCall{"mount"}, RefusedCall{"umount"}, RefusedCall{"umount2"}, RefusedCall{"move_mount"},
    RefusedCall{"open_tree"}, RefusedCall{"open_tree_attr", 467}, RefusedCall{"fsopen"},
    RefusedCall{"fsconfig"}, RefusedCall{"fsmount"}, RefusedCall{"fspick"},
    RefusedCall{"mount_setattr"}, RefusedCall{"pivot_root"}, RefusedCall{"chroot"},
    RefusedCall{"unshare"}, RefusedCall{"setns"},
    // interfaces with a large attack surface
    RefusedCall{"bpf"}, RefusedCall{"perf_event_open"}, RefusedCall{"userfaultfd"},
    RefusedCall{"io_uring_setup"}, RefusedCall{"io_uring_enter"}, RefusedCall{"io_uring_register"},
    RefusedCall{"keyctl"}, RefusedCall{"add_key"}, RefusedCall{"request_key"},
    RefusedCall{"init_module"}, RefusedCall{"finit_module"}, RefusedCall{"delete_module"},
    RefusedCall{"create_module"}, RefusedCall{"query_module"}, RefusedCall{"get_kernel_syms"},
    RefusedCall{"kexec_load"}, RefusedCall{"kexec_file_load"}, RefusedCall{"lookup_dcookie"},
    RefusedCall{"nfsservctl"}, RefusedCall{"_sysctl"}, RefusedCall{"modify_ldt"},
    RefusedCall{"uselib"},
    // the machine
    RefusedCall{"reboot"}, RefusedCall{"swapon"}, RefusedCall{"swapoff"},
    RefusedCall{"sethostname"}, RefusedCall{"setdomainname"}, RefusedCall{"acct"},
    RefusedCall{"quotactl"}, RefusedCall{"quotactl_fd", 443}, RefusedCall{"syslog"},
    RefusedCall{"iopl"}, RefusedCall{"ioperm"}, RefusedCall{"clock_settime"},
    RefusedCall{"clock_adjtime"}, RefusedCall{"settimeofday"}, RefusedCall{"adjtimex"},
    RefusedCall{"vhangup"},
    // opening files without their paths, which bypasses Landlock
    RefusedCall{"open_by_handle_at"}, RefusedCall{"name_to_handle_at"},
    RefusedCall{"fanotify_init"}, RefusedCall{"fanotify_mark"},
    // owners and attributes, which Landlock does not restrict
    RefusedCall{"chown"}, RefusedCall{"fchown"}, RefusedCall{"lchown"}, RefusedCall{"fchownat"},
    RefusedCall{"setxattr"}, RefusedCall{"lsetxattr"}, RefusedCall{"fsetxattr"},
    RefusedCall{"setxattrat", 463}, RefusedCall{"removexattr"}, RefusedCall{"lremovexattr"},
    RefusedCall{"fremovexattr"}, RefusedCall{"removexattrat", 466},
    RefusedCall{"file_setattr", 469},
    // memory and queues that all processes of the user share by number or name
    RefusedCall{"shmget"}, RefusedCall{"shmat"}, RefusedCall{"shmctl"}, RefusedCall{"msgget"},
    RefusedCall{"msgsnd"}, RefusedCall{"msgrcv"}, RefusedCall{"msgctl"}, RefusedCall{"semget"},
    RefusedCall{"semop"}, RefusedCall{"semtimedop"}, RefusedCall{"semctl"},
    RefusedCall{"mq_open"}, RefusedCall{"mq_unlink"},
};

// Folders can be watched without the right to read them, which reveals activity anywhere. Fails as
// on a kernel without inotify, where programs fall back to polling.
inline constexpr std::array kAbsent = {
    RefusedCall{"inotify_init"}, RefusedCall{"inotify_init1"}, RefusedCall{"inotify_add_watch"},
};

// Attributes of files by path; those of open files remain available. Fails as on a file system
// without attributes, which programs can handle.
inline constexpr std::array kUnsupported = {
    RefusedCall{"getxattr"}, RefusedCall{"lgetxattr"}, RefusedCall{"getxattrat", 464},
    RefusedCall{"listxattr"}, RefusedCall{"llistxattr"}, RefusedCall{"listxattrat", 465},
    RefusedCall{"file_getattr", 468},
};

// ioctls by type: flags, versions, freezing, subvolumes. Many accept a read-only descriptor, and
// Landlock does not restrict them. Fails as on a file system that supports none of them.
inline constexpr std::array<unsigned char, 5> kFileSystemIoctls = {
    'f',   // FS_IOC_SETFLAGS and those of ext4
    'v',   // FS_IOC_SETVERSION
    'X',   // FS_IOC_FSSETXATTR, FITRIM, FIFREEZE and those of XFS
    0x94,  // FICLONE, FS_IOC_SETFSLABEL and those of btrfs
    0xf5,  // those of F2FS
};

// Without a process namespace the host kills a worker's processes by their group, so leaving it is
// refused. With one, a process with exec may create groups to kill them together.
inline constexpr std::array kRefusedWithoutOwnProcesses = {
    RefusedCall{"setsid"}, RefusedCall{"setpgid"},
};

// Not restricted by Landlock either, and a path cannot be checked here. A process without write
// access does not need these, one with write access often does.
inline constexpr std::array kRefusedWithoutWriting = {
    RefusedCall{"chmod"}, RefusedCall{"fchmod"}, RefusedCall{"fchmodat"},
    RefusedCall{"fchmodat2", 452}, RefusedCall{"utime"}, RefusedCall{"utimes"},
    RefusedCall{"futimesat"}, RefusedCall{"utimensat"},
};
// clang-format on

}  // namespace toolhost::sandbox
