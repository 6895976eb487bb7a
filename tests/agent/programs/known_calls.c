/* A program whose stacks are known: `known_calls WHAT N` spends a third of a second of processor time in it.
   Functions are kept apart and are no tail calls, so that every call is a frame. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile unsigned long work;
static double allowance = 0.33;

static double processorTime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

NOINLINE void spin(unsigned long rounds)
{
    __asm__ volatile("" ::: "rbx"); /* so that it needs a frame, whatever it is compiled with */
    for (unsigned long i = 0; i < rounds; ++i)
        work += i;
}

NOINLINE int spinUntilOver(void)
{
    while (processorTime() < allowance)
        spin(2000000);
    return (int)(work & 1);
}

NOINLINE int recurse(int depth)
{
    volatile char frame[48];
    frame[depth % 48] = (char)depth;
    if (depth <= 1)
        return spinUntilOver() + frame[depth % 48];
    return recurse(depth - 1) + frame[depth % 48];
}

static inline __attribute__((always_inline)) void inlinedSpin(void)
{
    for (unsigned long i = 0; i < 2000000; ++i)
        work += i; /* inlined here */
}

NOINLINE int inlining(void)
{
    while (processorTime() < allowance)
        inlinedSpin();
    return (int)(work & 1);
}

/* Ends with a call that does not return: its caller would go on behind the end of the function. */
NOINLINE __attribute__((noreturn)) void neverReturns(void)
{
    exit(spinUntilOver() & 0);
}

NOINLINE __attribute__((noreturn)) void endsWithCall(void)
{
    work += 1;
    neverReturns();
}

/* Has no frame of its own, and calls nobody. */
NOINLINE unsigned long leaf(unsigned long rounds)
{
    unsigned long sum = 0;
    for (unsigned long i = 0; i < rounds; ++i)
        __asm__ volatile("add %1, %0" : "+r"(sum) : "r"(i));
    return sum;
}

NOINLINE int leaves(void)
{
    while (processorTime() < allowance)
        work += leaf(2000000);
    return (int)(work & 1);
}

void lightPart(void);
void heavyPart(void);

/* Works at many depths, and through the C library: more often the deeper it goes. */
static int compareAndWork(const void *a, const void *b)
{
    spin(20000);
    return *(const int *)a - *(const int *)b;
}

NOINLINE void deepen(int depth)
{
    volatile char frame[64];
    frame[depth % 64] = 1;
    spin((unsigned long)depth * 30000);
    if (depth < 6)
        deepen(depth + 1);
    work += (unsigned long)frame[depth % 64];
}

NOINLINE void sortSome(void)
{
    int numbers[16];
    for (int i = 0; i < 16; ++i)
        numbers[i] = i * 7 % 16;
    qsort(numbers, 16, sizeof numbers[0], compareAndWork);
    work += (unsigned long)numbers[0];
}

NOINLINE int mixed(int seconds)
{
    allowance = seconds;
    while (processorTime() < allowance) {
        deepen(1);
        sortSome();
        lightPart();
        heavyPart();
    }
    return (int)(work & 1);
}

/* Loads a library when it has run for a while, which calls back. */
NOINLINE int loads(const char *self)
{
    char path[4096];
    const char *slash = strrchr(self, '/');
    const int length = slash ? (int)(slash - self) : 0;
    allowance /= 3;
    spinUntilOver();
    snprintf(path, sizeof path, "%.*s/known-library.so", length, self);
    void *library = dlopen(path, RTLD_NOW);
    int (*inLibrary)(int (*callee)(void)) = 0;
    void *found = library ? dlsym(library, "inLibrary") : 0;
    if (!found)
        return 1;
    memcpy(&inLibrary, &found, sizeof inLibrary);
    allowance *= 4;
    return inLibrary(spinUntilOver) & 0;
}

/* Runs on when its file has gone. */
NOINLINE int deletes(const char *self)
{
    unlink(self);
    return recurse(3);
}

/* Becomes another program. */
NOINLINE int becomes(const char *self)
{
    char path[4096];
    snprintf(path, sizeof path, "%s-fp", self);
    allowance /= 2; /* the other half is for what it becomes */
    spinUntilOver();
    execl(path, path, "recurse", "4", (char *)0);
    return 1;
}

/* Waits in three ways for a third of a second each, in threads that are moved from processor to processor. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
static int awake;

NOINLINE void waitsForTime(void)
{
    const struct timespec rest = {0, 30000000};
    for (int i = 0; i < 10; ++i)
        nanosleep(&rest, 0);
    work += 1;
}

NOINLINE void waitsForLock(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

NOINLINE void waitsForBytes(void)
{
    char byte;
    work += (unsigned long)read(ends[0], &byte, 1);
}

static void *inWaiter(void *waits)
{
    void (*wait)(void);
    memcpy(&wait, &waits, sizeof wait);
    __atomic_fetch_add(&awake, 1, __ATOMIC_SEQ_CST);
    wait();
    return 0;
}

static void move(const pthread_t *threads, int count, int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    for (int i = 0; i < count; ++i)
        pthread_setaffinity_np(threads[i], sizeof set, &set);
}

NOINLINE int sleepers(void)
{
    enum { kThreads = 3 };
    void (*const ways[kThreads])(void) = {waitsForTime, waitsForLock, waitsForBytes};
    const struct timespec rest = {0, 300000000};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t threads[kThreads];
    pthread_mutex_lock(&lock);
    if (pipe(ends) != 0)
        return 1;
    for (int i = 0; i < kThreads; ++i) {
        void *way;
        memcpy(&way, &ways[i], sizeof way);
        pthread_create(&threads[i], 0, inWaiter, way);
    }
    while (__atomic_load_n(&awake, __ATOMIC_SEQ_CST) < kThreads)
        ;
    for (int i = 0; i < 20; ++i)
        move(threads, kThreads, (int)(i % processors));
    nanosleep(&rest, 0);
    pthread_mutex_unlock(&lock);
    work += (unsigned long)write(ends[1], "", 1);
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], 0);
    return 0;
}

/* Touches fresh memory: so many pages. */
NOINLINE int touch(int pages)
{
    char *memory = mmap(0, (size_t)pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, (size_t)pages * 4096, MADV_NOHUGEPAGE);
    for (int i = 0; i < pages; ++i)
        memory[(size_t)i * 4096] = 1;
    return memory[0] & 0;
}

NOINLINE void lightPart(void)
{
    spin(300000);
    work += 1;
}

NOINLINE void heavyPart(void)
{
    spin(700000);
    work += 1;
}

NOINLINE int split(void)
{
    while (processorTime() < allowance) {
        lightPart();
        heavyPart();
    }
    return (int)(work & 1);
}

/* A frame that is aligned more than the stack is, and of a size that only shows when it runs. */
NOINLINE int realigned(int size)
{
    volatile char aligned[64] __attribute__((aligned(64)));
    volatile char *more = __builtin_alloca((unsigned long)size + 16);
    more[size] = 1;
    aligned[size % 64] = 1;
    return spinUntilOver() + more[size] + aligned[size % 64];
}

static void onSignal(int number)
{
    work += (unsigned long)spinUntilOver() + (unsigned long)number;
}

NOINLINE int interrupted(void)
{
    signal(SIGUSR1, onSignal);
    raise(SIGUSR1);
    return (int)(work & 1);
}

NOINLINE int askTheTime(void)
{
    struct timespec now;
    do {
        for (int i = 0; i < 10000; ++i)
            work += (unsigned long)clock_gettime(CLOCK_MONOTONIC, &now);
    } while (processorTime() < allowance);
    return (int)(work & 1);
}

static void *inThread(void *nothing)
{
    pthread_setname_np(pthread_self(), "worker");
    work += (unsigned long)recurse(5);
    return nothing;
}

NOINLINE int thread(void)
{
    pthread_t other;
    pthread_create(&other, 0, inThread, 0);
    return pthread_join(other, 0);
}

/* Sleeps for a fifth of a second altogether, and works a little in between. */
NOINLINE int doze(int times)
{
    const struct timespec rest = {0, 200000000 / times};
    for (int i = 0; i < times; ++i) {
        nanosleep(&rest, 0);
        spin(100000);
    }
    return (int)(work & 1);
}

/* Makes a function that calls another, as runtimes do. */
static void *makeFunction(void)
{
    static const unsigned char before[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xb8}; /* push fp; fp = sp; ax = */
    static const unsigned char behind[] = {0xff, 0xd0, 0x5d, 0xc3};             /* call ax; pop fp; return */
    int (*callee)(void) = spinUntilOver;
    unsigned char *code = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code, before, sizeof before);
    memcpy(code + sizeof before, &callee, sizeof callee);
    memcpy(code + sizeof before + sizeof callee, behind, sizeof behind);
    mprotect(code, 4096, PROT_READ | PROT_EXEC);
    return code;
}

static inline __attribute__((always_inline)) int callMade(void *code)
{
    int (*made)(void);
    memcpy(&made, &code, sizeof made);
    return made() + (int)(work & 1);
}

/* Tells in a perf map what it is called. */
NOINLINE int jit(void)
{
    char path[64];
    void *code = makeFunction();
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    FILE *map = fopen(path, "w");
    fprintf(map, "%lx 40 LazyCompile:*madeUp /srv/made.js:12:3\n", (unsigned long)code);
    fclose(map);
    return callMade(code) + (int)(work & 1);
}

static unsigned long monotonicTime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long)now.tv_sec * 1000000000 + (unsigned long)now.tv_nsec;
}

/* A record of a jitdump: this code has been put there. */
static void tellOfCode(int dump, const void *code, unsigned long number, const char *name)
{
    const unsigned long place = (unsigned long)code;
    const struct {
        unsigned kind, size;
        unsigned long time;
        unsigned process, thread;
        unsigned long mapped, address, bytes, number;
    } head = {0, (unsigned)(sizeof head + strlen(name) + 1), monotonicTime(), (unsigned)getpid(),
              (unsigned)getpid(), place, place, 64, number};
    if (write(dump, &head, sizeof head) < 0 || write(dump, name, strlen(name) + 1) < 0)
        exit(1);
}

/* Tells in a jitdump, which is mapped so that it can be found, what is at a place: first one function, then
   another. */
NOINLINE int jitdump(void)
{
    const struct {
        unsigned magic, version, size, machine, nothing, process;
        unsigned long time, flags;
    } head = {0x4a695444, 1, sizeof head, 62, 0, (unsigned)getpid(), monotonicTime(), 0};
    char path[64];
    void *code = makeFunction();
    snprintf(path, sizeof path, "/tmp/jit-%d.dump", (int)getpid());
    const int dump = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
    if (write(dump, &head, sizeof head) < 0 ||
        mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) == MAP_FAILED)
        return 1;
    tellOfCode(dump, code, 1, "madeFirst");
    callMade(code);
    tellOfCode(dump, code, 2, "madeSecond");
    allowance *= 2;
    callMade(code);
    return (int)(work & 1);
}

/* OpenTelemetry's thread context, as an instrumented program publishes it. */
__attribute__((visibility("default"))) __thread void *otel_thread_ctx_v1;

NOINLINE int inSpan(void)
{
    static unsigned char context[28];
    for (unsigned i = 0; i < 24; ++i)
        context[i] = (unsigned char)(i + 1); /* trace id and span id */
    context[24] = 1;                         /* valid */
    otel_thread_ctx_v1 = context;
    return spinUntilOver();
}

/* OpenTelemetry's process context: { resource { attributes { "service.name": "known" } } }. */
NOINLINE int published(void)
{
    static const unsigned char payload[] = "\x0a\x19\x0a\x17\x0a\x0cservice.name\x12\x07\x0a\x05known";
    struct {
        char signature[8] __attribute__((nonstring));
        unsigned version, size;
        unsigned long time;
        const unsigned char *payload;
    } header = {"OTEL_CTX", 2, sizeof payload - 1, 1, payload};
    const int memory = memfd_create("OTEL_CTX", 0);
    if (ftruncate(memory, 4096) != 0)
        return 1;
    void *mapped = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, memory, 0);
    memcpy(mapped, &header, sizeof header);
    allowance = 1.5;
    return spinUntilOver();
}

/* Many processes one after the other, each of which executes this program anew for 20 ms. */
NOINLINE int storm(const char *self, int count)
{
    for (int i = 0; i < count; ++i) {
        const int child = fork();
        if (child == 0) {
            execl(self, self, "brief", "20", (char *)0);
            _exit(127);
        }
        waitpid(child, 0, 0);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const int number = argc > 2 ? atoi(argv[2]) : 1;
    if (strcmp(what, "recurse") == 0)
        return recurse(number) & 0;
    if (strcmp(what, "split") == 0) {
        allowance = number;
        return split() & 0;
    }
    if (strcmp(what, "inlining") == 0)
        return inlining();
    if (strcmp(what, "touch") == 0)
        return touch(number);
    if (strcmp(what, "realigned") == 0)
        return realigned(number) & 0;
    if (strcmp(what, "signal") == 0)
        return interrupted() & 0;
    if (strcmp(what, "vdso") == 0)
        return askTheTime() & 0;
    if (strcmp(what, "published") == 0)
        return published() & 0;
    if (strcmp(what, "span") == 0)
        return inSpan() & 0;
    if (strcmp(what, "jit") == 0)
        return jit() & 0;
    if (strcmp(what, "jitdump") == 0)
        return jitdump() & 0;
    if (strcmp(what, "noreturn") == 0)
        endsWithCall();
    if (strcmp(what, "leaf") == 0)
        return leaves() & 0;
    if (strcmp(what, "mixed") == 0)
        return mixed(number) & 0;
    if (strcmp(what, "loads") == 0)
        return loads(argv[0]);
    if (strcmp(what, "deletes") == 0)
        return deletes(argv[0]) & 0;
    if (strcmp(what, "becomes") == 0)
        return becomes(argv[0]);
    if (strcmp(what, "sleepers") == 0)
        return sleepers();
    if (strcmp(what, "doze") == 0)
        return doze(number) & 0;
    if (strcmp(what, "thread") == 0)
        return thread();
    if (strcmp(what, "brief") == 0) {
        allowance = number / 1000.0;
        return recurse(3) & 0;
    }
    if (strcmp(what, "storm") == 0)
        return storm(argv[0], number);
    return 2;
}
