#pragma once

#include <linux/types.h>

// How CPython keeps its threads and frames, as far as stacks need it. Plain C: the BPF program reads by it
// what user space has found out about a process.
//
//   interpreters ─▶ interpreter ─▶ thread ─▶ frame ─▶ frame … (innermost first)
//                       └─ next      ├─ next    └─ code, instruction
//                                    └─ id: the thread pointer (fs) of the thread

#ifdef __cplusplus
namespace hearth::agent {
#endif

enum {
    kNoMember = 0xffff,
    kMostPythonFrames = 127,
    kPythonFrameBytes = 128, ///< of a frame, as much as is read of it
    kPythonEntry = 1,        ///< in PythonFrame::code
    kPythonTag = 7,          ///< lower bits of pointers to code: newer versions use some of them themselves
};

/// Which calls of the interpreter are calls of C, each of which has a frame of its own on the native stack.
enum PythonEntryRule {
    kEveryFrameIsEntry = 0, ///< until 3.10
    kEntryIsMarked,         ///< 3.11: by a member of the frame
    kEntryHasShim,          ///< since 3.12: behind the frame stands one that only marks it
};

/// Addresses in a process, and where members are within CPython's structures.
struct PythonLayout {
    __u64 interpreters;  ///< of the pointer to the first interpreter; 0 if it cannot be found
    __u64 currentThread; ///< of the pointer to the thread that has the lock; 0 if there is none
    __u16 interpreterNext;
    __u16 interpreterThreads;
    __u16 threadNext;
    __u16 threadId;
    __u16 threadFrame;
    __u16 throughFrame; ///< in what is between thread and frame in some versions; kNoMember in others
    __u16 frameBytes;   ///< up to the last member
    __u16 framePrevious;
    __u16 frameCode;
    __u16 frameInstruction;
    __u16 frameMark; ///< a byte: is an entry, or who owns it
    __u16 entryRule; ///< a PythonEntryRule
    __u16 shimOwner; ///< owners from this one on are shims
    __u16 codeName;  ///< in the code object
    __u16 codeFile;
    __u16 isNarrow; ///< the instruction is a number of 32 bits, not an address
};

/// A function that CPython is in.
struct PythonFrame {
    __u64 code;        ///< the code object, with kPythonEntry if C called it
    __u64 instruction; ///< as the version keeps it
    __u64 identity;    ///< of the code, whose place may be another's when its name is read
};

/// By the objects that are its name and its file.
static inline __u64 pythonIdentity(__u64 name, __u64 file)
{
    return name ^ file << 8;
}

#ifdef __cplusplus
static_assert(sizeof(PythonLayout) == 48);
static_assert(sizeof(PythonFrame) == 24);
} // namespace hearth::agent
#endif
