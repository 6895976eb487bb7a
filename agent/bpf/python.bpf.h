#pragma once

#include "agent/bpf/maps.bpf.h"

// CPython's frames, read while the thread stands still.

enum { kMostPythonHops = 128 }; ///< threads and interpreters that are looked through

static __always_inline __u64 userWord(__u64 address)
{
    __u64 word = 0;
    if (bpf_probe_read_user(&word, sizeof word, (const void *)address) != 0)
        return 0;
    return word;
}

/// Goes on to the next thread, or to the first of the next interpreter. @return whether there is one
__noinline int nextPythonThread(struct Scratch *scratch)
{
    if (!scratch)
        return 0;
    struct PythonWalk *walk = &scratch->python;
    if (walk->thread)
        walk->thread = userWord(walk->thread + walk->layout.threadNext);
    if (walk->thread)
        return 1;
    if (!walk->interpreter)
        return 0;
    walk->thread = userWord(walk->interpreter + walk->layout.interpreterThreads);
    walk->interpreter = userWord(walk->interpreter + walk->layout.interpreterNext);
    return walk->thread != 0;
}

/// Who has the lock is most often who runs; else all threads are looked through.
static __always_inline int findPythonThread(struct Scratch *scratch, __u64 id)
{
    struct PythonWalk *walk = &scratch->python;
    walk->thread = walk->layout.currentThread ? userWord(walk->layout.currentThread) : 0;
    if (walk->thread && userWord(walk->thread + walk->layout.threadId) == id)
        return 1;
    walk->thread = 0;
    walk->interpreter = walk->layout.interpreters ? userWord(walk->layout.interpreters) : 0;
    for (int i = 0; i < kMostPythonHops; ++i) {
        if (!nextPythonThread(scratch))
            return 0;
        if (userWord(walk->thread + walk->layout.threadId) == id)
            return 1;
    }
    return 0;
}

static __always_inline __u64 frameWord(struct PythonWalk *walk, __u16 member)
{
    return *(__u64 *)&walk->frame[member & (kPythonFrameBytes - 1)];
}

/// Notes the frame at hand and goes on to its caller. @return whether there may be one
__noinline int pythonFrame(struct Scratch *scratch)
{
    if (!scratch)
        return 0;
    struct PythonWalk *walk = &scratch->python;
    __u32 size = walk->layout.frameBytes;
    if (walk->at == 0 || size > kPythonFrameBytes ||
        bpf_probe_read_user(walk->frame, size, (const void *)walk->at) != 0)
        return 0;
    walk->at = frameWord(walk, walk->layout.framePrevious);
    __u8 mark = walk->frame[walk->layout.frameMark & (kPythonFrameBytes - 1)];
    __u32 count = scratch->head.pythonFrames;
    __u32 to =
        (scratch->head.kernelFrames + scratch->head.userFrames) * 8 + count * sizeof(struct PythonFrame);
    if (to > kMostPayload - 2 * sizeof(struct PythonFrame) || count >= kMostPythonFrames)
        return 0;
    struct PythonFrame *frame = (struct PythonFrame *)&scratch->payload[to];
    if (walk->layout.entryRule == kEntryHasShim && mark >= walk->layout.shimOwner) {
        if (count > 0 && to >= sizeof *frame) {
            frame = (struct PythonFrame *)&scratch->payload[to - sizeof *frame];
            frame->code |= kPythonEntry;
        }
        return 1;
    }
    __u64 isEntry = walk->layout.entryRule == kEveryFrameIsEntry ||
                    (walk->layout.entryRule == kEntryIsMarked && mark != 0);
    __u64 instruction = frameWord(walk, walk->layout.frameInstruction);
    __u64 code = frameWord(walk, walk->layout.frameCode) & ~(__u64)kPythonTag;
    frame->code = code | isEntry;
    frame->identity =
        pythonIdentity(userWord(code + walk->layout.codeName), userWord(code + walk->layout.codeFile));
    frame->instruction = walk->layout.isNarrow ? instruction & 0xffffffff : instruction;
    scratch->head.pythonFrames = (__u16)(count + 1);
    return 1;
}

/// Puts CPython's frames behind the user's.
static __always_inline void takePythonStack(struct Scratch *scratch, struct task_struct *task)
{
    __u32 process = scratch->head.process;
    struct ProcessRows *rows = bpf_map_lookup_elem(&processes, &process);
    if (!rows || !rows->hasPython)
        return;
    struct PythonLayout *layout = bpf_map_lookup_elem(&pythons, &process);
    if (!layout)
        return;
    struct PythonWalk *walk = &scratch->python;
    walk->layout = *layout;
    if (!findPythonThread(scratch, task->thread.fsbase))
        return;
    walk->at = userWord(walk->thread + walk->layout.threadFrame);
    if (walk->layout.throughFrame != kNoMember && walk->at)
        walk->at = userWord(walk->at + walk->layout.throughFrame);
    for (int i = 0; i < kMostPythonFrames; ++i)
        if (!pythonFrame(scratch))
            break;
}
