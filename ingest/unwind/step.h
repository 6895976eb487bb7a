#pragma once

#include "ingest/unwind/rule.h"

// One step of a walk, from a frame to its caller, on x86-64. The BPF program and the walker in user space
// include it; each says how it reads a word of the stack by a function of this form in front of it:
//
//   static inline int readWord(struct StackMemory *memory, __u64 address, __u64 *word);   1 if it could

#ifdef __cplusplus
namespace hearth {
#endif

enum StepResult {
    kStepDone = 0,
    kStepOutermost,  ///< there is no caller: the stack is complete
    kStepUnreadable, ///< a word of the stack is not there
    kStepLost,       ///< the frame pointer is none, or the caller's frame would not lie above
};

enum {
    kSignalFp = 120, ///< from sp in the frame of a signal: the registers in Linux's ucontext
    kSignalSp = 160,
    kSignalIp = 168,
    kLargestFrame = 1 << 20, ///< by frame pointer
};

static inline __u64 signExtended(__s64 offset)
{
#ifdef __cplusplus
    return static_cast<__u64>(offset);
#else
    return (__u64)offset;
#endif
}

static inline int stepByFramePointer(struct StackMemory *memory, struct UnwindRegisters *at)
{
    __u64 fp = at->fp;
    __u64 ip = 0;
    __u64 callerFp = 0;
    if (fp == 0)
        return kStepOutermost; // where a thread begins, it is cleared
    if (fp < at->sp || fp - at->sp > kLargestFrame || (fp & 7) != 0)
        return kStepLost;
    if (!readWord(memory, fp, &callerFp) || !readWord(memory, fp + 8, &ip))
        return kStepUnreadable;
    at->ip = ip;
    at->sp = fp + 16;
    at->fp = callerFp;
    at->isReturnAddress = 1;
    return ip == 0 ? kStepOutermost : kStepDone;
}

static inline int stepOverSignal(struct StackMemory *memory, struct UnwindRegisters *at)
{
    __u64 sp = at->sp;
    __u64 ip = 0;
    if (!readWord(memory, sp + kSignalFp, &at->fp) || !readWord(memory, sp + kSignalIp, &ip) ||
        !readWord(memory, sp + kSignalSp, &at->sp))
        return kStepUnreadable;
    at->ip = ip;
    at->isReturnAddress = 0; // it was interrupted there, it did not call
    return ip == 0 ? kStepOutermost : kStepDone;
}

static inline int stepByRule(struct StackMemory *memory, struct UnwindRegisters *at, struct UnwindRule rule)
{
    __u64 cfa = rule.kind == kCfaFromFp || rule.kind == kCfaAtFp ? at->fp : at->sp;
    __u64 ip = 0;
    const __u64 offset = signExtended(rule.cfaOffset);
    if (rule.kind == kPlt)
        cfa += (at->ip & 15) >= offset ? 16 : 8;
    else
        cfa += offset;
    if ((rule.kind == kCfaAtSp || rule.kind == kCfaAtFp) && !readWord(memory, cfa, &cfa))
        return kStepUnreadable;
    if (cfa <= at->sp)
        return kStepLost;
    if (!readWord(memory, cfa - 8, &ip))
        return kStepUnreadable;
    if (rule.savedFp != kFpUnchanged) {
        // Below the stack pointer it was popped already, and compilers do not say so: then the register has
        // it.
        __u64 slot = (rule.savedFp == kFpAtCfa ? cfa : at->fp) + signExtended(rule.fpOffset);
        __u64 fp = 0;
        if (readWord(memory, slot, &fp))
            at->fp = fp;
        else if (slot >= at->sp)
            return kStepUnreadable;
    }
    at->ip = ip;
    at->sp = cfa;
    at->isReturnAddress = 1;
    return ip == 0 ? kStepOutermost : kStepDone;
}

static inline int unwindStep(struct StackMemory *memory, struct UnwindRegisters *at, struct UnwindRule rule)
{
    if (rule.kind == kOutermost)
        return kStepOutermost;
    if (rule.kind == kByFramePointer)
        return stepByFramePointer(memory, at);
    if (rule.kind == kSignalFrame)
        return stepOverSignal(memory, at);
    return stepByRule(memory, at, rule);
}

#ifdef __cplusplus
} // namespace hearth
#endif
