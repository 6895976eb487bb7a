#pragma once

#include <linux/types.h>

// How to get from a frame to its caller, in a form that fits the kernel's maps. Plain C: the BPF program
// and user space share it, as they share step.h, which carries the rules out.

#ifdef __cplusplus
namespace hearth {
#endif

/// Where the caller's stack pointer is (DWARF's CFA), or what else is known of a place in a program.
enum UnwindKind {
    kByFramePointer = 0, ///< nothing is known: the frame pointer, if it looks like one
    kOutermost,          ///< nobody called this: a thread began here
    kCfaFromSp,          ///< sp + cfaOffset
    kCfaFromFp,          ///< fp + cfaOffset
    kCfaAtSp,            ///< the word at sp + cfaOffset
    kCfaAtFp,            ///< the word at fp + cfaOffset
    kPlt,                ///< sp + 8, or 16 from byte cfaOffset of an entry of 16 bytes on
    kSignalFrame,        ///< the kernel put the registers on the stack before it called a handler
};

/// Where the caller's frame pointer is.
enum SavedFramePointer {
    kFpUnchanged = 0,
    kFpAtCfa, ///< the word at CFA + fpOffset
    kFpAtFp,  ///< the word at fp + fpOffset
};

struct UnwindRule {
    __u8 kind;
    __u8 savedFp;
    __s16 fpOffset;
    __s32 cfaOffset;
};

/// From this place on, as far from the image's base, until the next row: this rule.
struct UnwindRow {
    __u32 place;
    __u16 rule;
    __u16 reserved;
};

enum {
    kRuleByFramePointer = 0, ///< the rules that every book of rules begins with
    kRuleOutermost = 1,
    kMostRules = 16384,
};

/// What is known of a frame while one walks. `ip` of a caller is where it will go on: behind the call.
struct UnwindRegisters {
    __u64 ip;
    __u64 sp;
    __u64 fp;
    __u32 isReturnAddress;
    __u32 reserved;
};

#ifdef __cplusplus
inline bool operator==(const UnwindRule &a, const UnwindRule &b)
{
    return a.kind == b.kind && a.savedFp == b.savedFp && a.fpOffset == b.fpOffset &&
           a.cfaOffset == b.cfaOffset;
}
static_assert(sizeof(UnwindRule) == 8);
static_assert(sizeof(UnwindRow) == 8);
} // namespace hearth
#endif
