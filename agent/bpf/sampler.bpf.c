// The programs that run in the kernel: whenever the sampling clock ticks on a processor, the stack of what
// runs there is walked and put into a ring buffer.
//
// A stack is walked here if user space has said what is mapped in the process. If it has not, or not how to
// unwind a binary that comes up, then registers and stack are copied instead, and user space walks: so the
// first sample of a process is as good as any other.

#include "agent/bpf/kernel.h"
#include "agent/bpf/maps.bpf.h"
#include "agent/bpf/python.bpf.h"
#include "agent/bpf/record.h"
#include "agent/bpf/walk.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>

const char kLicense[] SEC("license") = "GPL";

enum { kKernelThread = 0x00200000, kExiting = 0x4, kUserSegment32 = 0x23, kRunning = 0 };

static __always_inline int isWanted(__u32 process)
{
    if (config.target == kTargetProcesses)
        return bpf_map_lookup_elem(&targets, &process) != 0;
    if (config.target == kTargetCgroup)
        return bpf_get_current_ancestor_cgroup_id(config.cgroupLevel) == config.cgroup;
    return 1;
}

static __always_inline void fillHead(struct RecordHead *head, __u16 kind, __u64 ids)
{
    head->kind = kind;
    head->kernelFrames = 0;
    head->userFrames = 0;
    head->stop = kStopNoUserStack;
    head->process = ids >> 32;
    head->thread = (__u32)ids;
    head->cpu = bpf_get_smp_processor_id();
    head->stackBytes = 0;
    head->wasPreempted = 0;
    head->pythonFrames = 0;
    head->reserved = 0;
    head->timeNs = bpf_ktime_get_ns();
    head->value = 1;
    bpf_get_current_comm(head->comm, sizeof head->comm);
}

static __always_inline void takeKernelStack(void *ctx, struct Scratch *scratch, __u32 mostFrames)
{
    long size = bpf_get_stack(ctx, scratch->payload, mostFrames * 8, 0);
    if (size > 0)
        scratch->head.kernelFrames = (__u16)(size / 8);
}

/// Registers as they were when the thread left user space.
static __always_inline int takeSavedRegisters(struct Scratch *scratch, struct task_struct *task)
{
    const struct pt_regs___kernel *saved = (const void *)bpf_task_pt_regs(task);
    scratch->head.registers.ip = saved->ip;
    scratch->head.registers.sp = saved->sp;
    scratch->head.registers.fp = saved->bp;
    return (saved->cs & 0xffff) == kUserSegment32 ? kStopForeign : kStopOutermost;
}

static __always_inline void takeUserStack(struct Scratch *scratch, struct task_struct *task, int state)
{
    scratch->head.registers.isReturnAddress = 0;
    scratch->head.registers.reserved = 0;
    scratch->head.stop = (__u16)state;
    if (state == kStopForeign)
        return;
    int isWalked = walkUserStack(scratch);
    takePythonStack(scratch, task);
    if (!isWalked)
        copyUserStack(scratch);
}

/// Which span the thread is in. It cannot change that now: it is interrupted, or on its way out.
static __always_inline void takeThreadContext(struct Scratch *scratch, struct task_struct *task)
{
    __u32 process = scratch->head.process;
    struct ProcessRows *rows = bpf_map_lookup_elem(&processes, &process);
    struct ThreadContext context = {};
    __u64 pointer = 0;
    __builtin_memset(scratch->head.trace, 0, sizeof scratch->head.trace);
    __builtin_memset(scratch->head.span, 0, sizeof scratch->head.span);
    if (!rows || rows->threadContext == 0)
        return;
    __u64 address = task->thread.fsbase + rows->threadContext;
    if (bpf_probe_read_user(&pointer, sizeof pointer, (const void *)address) != 0 || pointer == 0 ||
        bpf_probe_read_user(&context, sizeof context, (const void *)pointer) != 0 || context.isValid != 1)
        return;
    __builtin_memcpy(scratch->head.trace, context.trace, sizeof context.trace);
    __builtin_memcpy(scratch->head.span, context.span, sizeof context.span);
}

static __always_inline void count(__u32 counter)
{
    __u64 *value = bpf_map_lookup_elem(&counters, &counter);
    if (value)
        ++*value;
}

static __always_inline void send(struct Scratch *scratch, __u64 wakeup)
{
    __u64 size = sizeof scratch->head + (scratch->head.kernelFrames + scratch->head.userFrames) * 8 +
                 scratch->head.pythonFrames * sizeof(struct PythonFrame) + scratch->head.stackBytes;
    count(kCountSamples);
    if (scratch->head.stop == kStopCopied)
        count(kCountCopied);
    if (size > sizeof(struct RecordHead) + kMostPayload) // never, but the verifier cannot know
        return;
    if (bpf_ringbuf_output(&records, &scratch->head, size, wakeup) != 0)
        count(kCountLost);
}

/// User space comes by several times a second, and is woken up only if it has to learn something soon. Of a
/// process that it does not know: the sooner it does, the fewer stacks have to be copied. Of functions of
/// CPython, whose names end with their process: the more samples there were, the rarer new ones are.
static __always_inline __u64 wakeupFor(struct Scratch *scratch)
{
    if (scratch->head.stop == kStopCopied)
        return BPF_RB_FORCE_WAKEUP;
    __u32 process = scratch->head.process;
    struct ProcessRows *rows =
        scratch->head.pythonFrames > 0 ? bpf_map_lookup_elem(&processes, &process) : 0;
    if (!rows)
        return BPF_RB_NO_WAKEUP;
    __u32 before = rows->pythonSamples++;
    return (before & (before + 1)) == 0 ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

static __always_inline struct Scratch *scratchOf(__u32 slot, __u64 ids)
{
    if (ids >> 32 == 0 || !isWanted(ids >> 32))
        return 0;
    return bpf_map_lookup_elem(&scratches, &slot);
}

/// The stack of what was interrupted.
static __always_inline void takeStack(struct bpf_perf_event_data *ctx, struct Scratch *scratch)
{
    struct task_struct *task = bpf_get_current_task_btf();
    __u64 segment = *(volatile __u64 *)&ctx->regs.cs;
    __u64 ip = *(volatile __u64 *)&ctx->regs.rip;
    __u64 sp = *(volatile __u64 *)&ctx->regs.rsp;
    __u64 fp = *(volatile __u64 *)&ctx->regs.rbp;
    takeKernelStack(ctx, scratch, kMostKernelFrames);
    takeThreadContext(scratch, task);
    if ((segment & 3) != 0) {
        scratch->head.registers.ip = ip;
        scratch->head.registers.sp = sp;
        scratch->head.registers.fp = fp;
        takeUserStack(scratch, task, (segment & 0xffff) == kUserSegment32 ? kStopForeign : kStopOutermost);
    } else if ((task->flags & kKernelThread) == 0 && task->mm) {
        takeUserStack(scratch, task, takeSavedRegisters(scratch, task));
    }
}

SEC("perf_event")
int onTick(struct bpf_perf_event_data *ctx)
{
    __u64 ids = bpf_get_current_pid_tgid();
    __u64 period = ctx->sample_period;
    struct Scratch *scratch = scratchOf(kScratchTick, ids);
    if (!scratch)
        return 0;
    fillHead(&scratch->head, kRecordOnCpu, ids);
    if (config.countsEvents)
        scratch->head.value = period;
    takeStack(ctx, scratch);
    send(scratch, wakeupFor(scratch));
    return 0;
}

SEC("perf_event")
int onPageFault(struct bpf_perf_event_data *ctx)
{
    __u64 ids = bpf_get_current_pid_tgid();
    __u64 period = ctx->sample_period;
    struct Scratch *scratch = scratchOf(kScratchFault, ids);
    if (!scratch)
        return 0;
    fillHead(&scratch->head, kRecordPageFault, ids);
    scratch->head.value = period;
    takeStack(ctx, scratch);
    send(scratch, wakeupFor(scratch));
    return 0;
}

SEC("perf_event")
int onSwitchCount(struct bpf_perf_event_data *ctx)
{
    __u64 ids = bpf_get_current_pid_tgid();
    __u64 period = ctx->sample_period;
    struct Scratch *scratch = scratchOf(kScratchSwitch, ids);
    if (!scratch)
        return 0;
    fillHead(&scratch->head, kRecordSwitch, ids);
    scratch->head.value = period;
    takeStack(ctx, scratch);
    send(scratch, BPF_RB_NO_WAKEUP); // within the scheduler one must not
    return 0;
}

/// A thread leaves the processor: its stack is put aside until it is back and one knows for how long it was
/// away.
static __always_inline void park(void *ctx, struct task_struct *task, int isPreempted)
{
    __u64 ids = bpf_get_current_pid_tgid();
    __u32 slot = kScratchSwitch;
    __u32 thread = (__u32)ids;
    struct Scratch *scratch = bpf_map_lookup_elem(&scratches, &slot);
    if (!scratch)
        return;
    fillHead(&scratch->head, kRecordOffCpu, ids);
    scratch->head.wasPreempted = isPreempted;
    takeKernelStack(ctx, scratch, kMostParkedKernelFrames);
    takeThreadContext(scratch, bpf_get_current_task_btf());
    takeUserStack(scratch, task, takeSavedRegisters(scratch, task));
    if (scratch->head.stop == kStopCopied) {
        scratch->head.kind = kRecordLeftCopy;
        send(scratch, BPF_RB_NO_WAKEUP); // within the scheduler one must not
        scratch->head.kind = kRecordOffCpu;
        scratch->head.stackBytes = 0;
    }
    if (bpf_map_update_elem(&parked, &thread, &scratch->head, BPF_ANY) != 0)
        count(kCountNotParked);
}

static __always_inline void unpark(__u32 thread)
{
    struct Parked *back = bpf_map_lookup_elem(&parked, &thread);
    if (!back)
        return;
    __u32 size = (back->head.kernelFrames + back->head.userFrames) * 8 +
                 back->head.pythonFrames * sizeof(struct PythonFrame);
    back->head.value = bpf_ktime_get_ns() - back->head.timeNs;
    if (back->head.value >= config.shortestOffCpuNs && size <= sizeof back->frames) {
        count(kCountSamples);
        if (bpf_ringbuf_output(&records, back, sizeof back->head + size, BPF_RB_NO_WAKEUP) != 0)
            count(kCountLost);
    }
    bpf_map_delete_elem(&parked, &thread);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(onSwitch, _Bool isPreempt, struct task_struct *previous, struct task_struct *next)
{
    unpark((__u32)next->pid);
    if (!previous->mm || (previous->flags & (kKernelThread | kExiting)) != 0)
        return 0;
    if (bpf_get_prandom_u32() > config.offCpuChance || !isWanted((__u32)previous->tgid))
        return 0;
    park(ctx, previous, isPreempt || previous->__state == kRunning);
    return 0;
}

/// Children of processes that are wanted are wanted.
SEC("tp_btf/sched_process_fork")
int BPF_PROG(onFork, struct task_struct *parent, struct task_struct *child)
{
    __u32 from = (__u32)parent->tgid;
    __u32 to = (__u32)child->tgid;
    __u8 yes = 1;
    if (from != to && bpf_map_lookup_elem(&targets, &from))
        bpf_map_update_elem(&targets, &to, &yes, BPF_ANY);
    return 0;
}

/// What was mapped has gone: until user space says what the new program has, stacks are copied.
SEC("tp_btf/sched_process_exec")
int BPF_PROG(onExec, struct task_struct *task)
{
    __u32 process = (__u32)task->tgid;
    bpf_map_delete_elem(&processes, &process);
    return 0;
}
