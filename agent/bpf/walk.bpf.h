#pragma once

#include "agent/bpf/maps.bpf.h"

// The walk of a user's stack in the kernel, by the rows that user space put into maps.

struct StackMemory;

static inline int readWord(struct StackMemory *memory, __u64 address, __u64 *word)
{
    return bpf_probe_read_user(word, sizeof *word, (const void *)address) == 0;
}

#include "ingest/unwind/step.h"

enum {
    kMappingSearchSteps = 17, ///< halve kMostMappingRows
    kTableSearchSteps = 24,
    kWalkGoesOn = 100, ///< else an UnwindStop
};

/// Finds the row of the mapping that an address is in. @return whether there is one
__noinline int findMapping(struct Scratch *scratch)
{
    if (!scratch)
        return 0;
    scratch->low = scratch->process.first;
    scratch->high = scratch->process.first + scratch->process.count;
    for (int i = 0; i < kMappingSearchSteps && scratch->low < scratch->high; ++i) {
        __u32 middle = (scratch->low + scratch->high) / 2;
        struct MappingRow *row = bpf_map_lookup_elem(&mappings, &middle);
        if (!row)
            return 0;
        if (scratch->place < row->begin) {
            scratch->high = middle;
        } else if (scratch->place >= row->end) {
            scratch->low = middle + 1;
        } else {
            scratch->mapping = *row;
            return 1;
        }
    }
    return 0;
}

/// Finds the last row at or before a place. @return whether there is one
__noinline int findRule(struct Scratch *scratch)
{
    if (!scratch)
        return 0;
    __u32 slot = scratch->mapping.table;
    void *table = bpf_map_lookup_elem(&tables, &slot);
    if (!table)
        return 0;
    __u64 place = scratch->place - scratch->mapping.bias;
    if (place > 0xffffffff)
        return 0;
    scratch->rule = kRuleByFramePointer;
    scratch->low = 0;
    scratch->high = scratch->mapping.rows;
    for (int i = 0; i < kTableSearchSteps && scratch->low < scratch->high; ++i) {
        __u32 middle = (scratch->low + scratch->high) / 2;
        struct UnwindRow *row = bpf_map_lookup_elem(table, &middle);
        if (!row)
            return 0;
        if (row->place <= place) {
            scratch->rule = row->rule;
            scratch->low = middle + 1;
        } else {
            scratch->high = middle;
        }
    }
    return 1;
}

/// Notes the frame at hand and goes on to its caller. @return kWalkGoesOn or why not
__noinline int walkOn(struct Scratch *scratch)
{
    if (!scratch)
        return kStopLost;
    scratch->place = scratch->at.ip - scratch->at.isReturnAddress;
    __u32 position = scratch->head.kernelFrames + scratch->frames;
    if (position >= kMostKernelFrames + kMostUserFrames)
        return kStopTooDeep;
    *(__u64 *)&scratch->payload[position * 8] = scratch->place;
    ++scratch->frames;

    __u32 number = kRuleByFramePointer;
    if ((scratch->place >= scratch->mapping.begin && scratch->place < scratch->mapping.end) ||
        findMapping(scratch)) {
        if (scratch->mapping.table == kTableMissing)
            return kStopCopied;
        if (scratch->mapping.table != kTableByFramePointer) {
            if (!findRule(scratch))
                return kStopCopied; // the table has just gone
            number = scratch->rule;
        }
    } else if (scratch->process.isWhole && !scratch->isGuess) {
        return kStopCopied; // user space will know what is there now
    }
    struct UnwindRule *rule = bpf_map_lookup_elem(&rules, &number);
    if (!rule)
        return kStopLost;
    struct UnwindRegisters at = scratch->at;
    int result = unwindStep(0, &at, *rule);
    scratch->at = at;
    scratch->isGuess = number == kRuleByFramePointer;
    if (result == kStepOutermost)
        return kStopOutermost;
    if (result == kStepUnreadable)
        return kStopUnreadable;
    if (result == kStepLost)
        return kStopLost;
    return scratch->frames == kMostUserFrames ? kStopTooDeep : kWalkGoesOn;
}

/// @return whether the stack was walked as far as it goes; if not, user space has to
static __always_inline int walkUserStack(struct Scratch *scratch)
{
    __u32 process = scratch->head.process;
    struct ProcessRows *rows = bpf_map_lookup_elem(&processes, &process);
    if (!rows)
        return 0;
    scratch->process = *rows;
    scratch->at = scratch->head.registers;
    scratch->mapping.begin = 0;
    scratch->mapping.end = 0;
    scratch->frames = 0;
    scratch->isGuess = 0;
    int state = kWalkGoesOn;
    for (int i = 0; i < kMostUserFrames && state == kWalkGoesOn; ++i)
        state = walkOn(scratch);
    if (state == kStopCopied)
        return 0;
    scratch->head.userFrames = (__u16)scratch->frames;
    scratch->head.stop = (__u16)state;
    return 1;
}

/// How much of a stack is copied: less when user space does not keep up, rather than losing whole samples.
static __always_inline int chunksToCopy(void)
{
    enum { kFewChunks = 4 };
    __u64 size = bpf_ringbuf_query(&records, BPF_RB_RING_SIZE);
    return bpf_ringbuf_query(&records, BPF_RB_AVAIL_DATA) > size / 2 ? kFewChunks
                                                                     : kMostStackBytes / kStackChunk;
}

/// Copies the stack behind the frames, as much as there is.
static __always_inline void copyUserStack(struct Scratch *scratch)
{
    __u64 sp = scratch->head.registers.sp;
    __u32 at = scratch->head.kernelFrames * 8 + scratch->head.pythonFrames * sizeof(struct PythonFrame);
    __u32 copied = 0;
    int chunks = chunksToCopy();
    for (int i = 0; i < kMostStackBytes / kStackChunk && i < chunks; ++i) {
        // Chunks end where pages do, so that the last one before the stack's end is not lost.
        __u32 size = kStackChunk - ((sp + copied) & (kStackChunk - 1));
        __u32 to = at + copied;
        if (size > kStackChunk || to > kMostPayload - kStackChunk)
            break;
        if (bpf_probe_read_user(&scratch->payload[to], size, (const void *)(sp + copied)) != 0)
            break;
        copied += size;
    }
    scratch->head.stackBytes = copied;
    scratch->head.stop = kStopCopied;
}
