#pragma once

// Plain C: the BPF program and user space share it.

#ifdef __cplusplus
namespace hearth {
#endif

enum { kMostUserFrames = 127, kMostKernelFrames = 127 };

/// Why a walk ended where it did.
enum UnwindStop {
    kStopOutermost = 0, ///< at the frame that nobody called: the stack is complete
    kStopTooDeep,       ///< at kMostUserFrames
    kStopUnreadable,    ///< the stack's memory could not be read
    kStopLost,          ///< neither rules nor frame pointer lead further
    kStopNoUserStack,   ///< a thread of the kernel
    kStopForeign,       ///< a 32-bit program
    kStopCopied,        ///< it was not walked: registers and stack are in the record
    kStopCount
};

#ifdef __cplusplus
} // namespace hearth
#endif
