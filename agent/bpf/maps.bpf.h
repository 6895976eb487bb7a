#pragma once

#include "agent/bpf/record.h"

#include <bpf/bpf_helpers.h>
#include <linux/bpf.h>

enum {
    kPythonBytes = kMostPythonFrames * sizeof(struct PythonFrame),
    kMostPayload = (kMostKernelFrames + kMostUserFrames) * 8 + kPythonBytes + kMostStackBytes,
    kPlaceholderRings = 4096,
};

/// The way to CPython's frames and along them.
struct PythonWalk {
    struct PythonLayout layout;
    __u64 interpreter;
    __u64 thread;
    __u64 at;
    __u8 frame[kPythonFrameBytes + 8];
};

/// What a program works in: records are too large for its stack.
struct Scratch {
    struct RecordHead head;
    __u8 payload[kMostPayload];

    // The walk. It is kept here, not in variables, so that the verifier forgets what values they have and
    // does not follow every way through the search.
    struct UnwindRegisters at;
    struct MappingRow mapping; ///< the one at hand
    struct ProcessRows process;
    __u64 place;
    __u32 low;
    __u32 high;
    __u32 rule;
    __u32 frames;
    __u32 isGuess; ///< the place is from a frame pointer, which may have been none
    struct PythonWalk python;
};

/// A slot for each kind of program, since one can interrupt the other.
enum { kScratchTick = 0, kScratchSwitch, kScratchFault, kScratches };

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, kScratches);
    __type(key, __u32);
    __type(value, struct Scratch);
} scratches SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, kPlaceholderRings); // by rate and processors when it is loaded
} records SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, kCounters);
    __type(key, __u32);
    __type(value, __u64);
} counters SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, kMostTargets);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, __u32);
    __type(value, __u8);
} targets SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, kMostProcesses);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, __u32);
    __type(value, struct ProcessRows);
} processes SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, kMostProcesses);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, __u32);
    __type(value, struct PythonLayout);
} pythons SEC(".maps");

/// The beginning of a Scratch: what is kept of a thread while it is off CPU.
struct Parked {
    struct RecordHead head;
    __u8 frames[(kMostParkedKernelFrames + kMostUserFrames) * 8 + kPythonBytes];
};

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, kMostParked);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, __u32);
    __type(value, struct Parked);
} parked SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, kMostMappingRows);
    __type(key, __u32);
    __type(value, struct MappingRow);
} mappings SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, kMostRules);
    __type(key, __u32);
    __type(value, struct UnwindRule);
} rules SEC(".maps");

/// The rows of a binary: as many as it has, so the maps within differ in size.
struct TableMap {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __uint(map_flags, BPF_F_INNER_MAP | BPF_F_MMAPABLE);
    __uint(key_size, 4);
    __uint(value_size, 8);
};

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
    __uint(max_entries, kMostTables);
    __uint(key_size, 4);
    __array(values, struct TableMap);
} tables SEC(".maps");

const volatile struct SamplerConfig config;
