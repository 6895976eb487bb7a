#pragma once

// The little that the programs need to know of the kernel's structures. Where the members really are is
// looked up in the kernel's own type information (BTF) when the programs are loaded; only the names count
// here.

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct mm_struct;

struct thread_struct {
    unsigned long fsbase;
};

struct task_struct {
    unsigned int __state;
    unsigned int flags;
    int pid;
    int tgid;
    struct mm_struct *mm;
    struct thread_struct thread;
};

/// The kernel's pt_regs: the header for programs calls the same registers otherwise.
struct pt_regs___kernel {
    unsigned long bp;
    unsigned long ip;
    unsigned long sp;
    unsigned long cs;
};

#pragma clang attribute pop
