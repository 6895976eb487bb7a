/* Calls a function of a library, which does next to nothing: so much of the time goes to the way there, which is
   the linkage table. */
#include <time.h>

unsigned long returnsAtOnce(unsigned long number);

static volatile unsigned long work;

static double processorTime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

__attribute__((noinline, noclone)) int callThroughTable(void)
{
    unsigned long number = work;
    while (processorTime() < 0.33)
        for (int i = 0; i < 1000000; ++i)
            number = returnsAtOnce(number);
    return (int)(number & 1);
}

int main(void)
{
    return callThroughTable() & 0;
}
