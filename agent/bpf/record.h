#pragma once

#include "agent/bpf/python.h"
#include "ingest/unwind/rule.h"
#include "ingest/unwind/stop.h"

// What the BPF programs and user space tell each other. Plain C.

#ifdef __cplusplus
namespace hearth::agent {
#endif

enum RecordKind {
    kRecordOnCpu = 0,
    kRecordOffCpu,   ///< a thread is back; its value is how long it was away
    kRecordLeftCopy, ///< a thread leaves, and its stack is left to user space: belongs to a later
                     ///< kRecordOffCpu
    kRecordPageFault,
    kRecordSwitch, ///< a thread leaves the processor
    kRecordKinds
};

enum {
    kCommLength = 16,
    kMostStackBytes = 25600, ///< with all else what a value of a map for each processor may have, 32 KiB
    kStackChunk = 1024,
    kMostParkedKernelFrames = 32, ///< of a thread that is off CPU
    kMostParked = 16384,          ///< threads
};

/// The head of a record of the ring buffer. Behind it: addresses of the kernel's frames, then of the user's,
/// leaf first; of the latter the callers' lie in their calls already. Then CPython's frames (PythonFrame).
/// Then a copy of the stack from registers.sp on, if the walk is left to user space.
struct RecordHead {
    __u16 kind;
    __u16 kernelFrames;
    __u16 userFrames;
    __u16 stop; ///< an UnwindStop
    __u32 process;
    __u32 thread;
    __u32 cpu;
    __u32 stackBytes;
    __u32 wasPreempted; ///< off CPU, but ready to run
    __u16 pythonFrames;
    __u16 reserved;
    __u64 timeNs; ///< CLOCK_MONOTONIC; when it left, if it was off CPU
    __u64 value;
    char comm[kCommLength];
    struct UnwindRegisters registers;
    __u8 trace[16]; ///< the span that the thread was in, if it says so; zeros if not
    __u8 span[8];
};

/// Which part of a process's memory a binary is in.
struct MappingRow {
    __u64 begin;
    __u64 end;
    __u64 bias;  ///< an address minus this is a place in the table
    __u32 table; ///< a slot, or one of those below
    __u32 rows;
};

enum {
    kTableByFramePointer = 0xffffffff, ///< there are no rules for what is there
    kTableMissing = 0xfffffffe,        ///< there may be, but user space has not looked yet
};

/// The rows of a process, ordered by address, in the array that all processes share.
struct ProcessRows {
    __u32 first;
    __u32 count;
    __s64 threadContext; ///< from the thread pointer to where the pointer to its context is; 0 if it has none
    __u16 hasPython;     ///< there is a PythonLayout of it
    __u16 isWhole;       ///< what is in no row was mapped since
    __u32 pythonSamples; ///< the kernel's count of stacks with CPython's frames
};

/// What a thread says of the span it is in: OpenTelemetry's thread context (OTEP 4947). Only its head counts
/// here.
struct ThreadContext {
    __u8 trace[16];
    __u8 span[8];
    __u8 isValid; ///< 1, or it is being changed
};

enum {
    kMostTables = 8192,
    kMostMappingRows = 65536,
    kMostProcesses = 16384,
    kMostTargets = 65536,
};

/// Whose samples are wanted.
enum TargetKind { kTargetMachine = 0, kTargetProcesses, kTargetCgroup };

/// Written before the programs are loaded.
struct SamplerConfig {
    __u32 target; ///< a TargetKind
    __u32 cgroupLevel;
    __u64 cgroup;
    __u32 offCpuChance; ///< of 2^32, that a switch is looked at
    __u32 countsEvents; ///< a tick's value is how many events passed since the last one, not 1
    __u64 shortestOffCpuNs;
};

enum SamplerCounter {
    kCountSamples = 0,
    kCountLost, ///< the ring buffer was full
    kCountCopied,
    kCountNotParked, ///< threads off CPU that there was no room to remember
    kCounters
};

#ifdef __cplusplus
static_assert(sizeof(RecordHead) == 120);
static_assert(sizeof(MappingRow) == 32);
} // namespace hearth::agent
#endif
