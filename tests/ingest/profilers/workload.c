// Calls of known depth that take processor time and memory, for profilers to look at.

#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

volatile unsigned long sink;

APART void spin(int n)
{
    for (long i = 0; i < n * 1000L; ++i)
        sink += (unsigned long)(i * i);
}

APART void light(int n)
{
    spin(n);
    for (long i = 0; i < n * 500L; ++i)
        sink ^= (unsigned long)i;
}

APART void heavy(int n)
{
    for (int times = 0; times < 3; ++times)
        spin(n);
    sink += 1;
}

APART void forgets(int bytes)
{
    sink += (unsigned long)malloc((size_t)bytes);
}

APART void allocates(int count)
{
    void *kept[64];
    for (int i = 0; i < count; ++i)
        kept[i % 64] = malloc(1000 + (size_t)i);
    for (int i = 0; i < count; ++i)
        free(kept[i % 64]);
    forgets(333);
}

int main(int argumentCount, char **arguments)
{
    const int times = argumentCount > 1 ? atoi(arguments[1]) : 100;
    for (int i = 0; i < times; ++i) {
        light(1000);
        heavy(500);
        allocates(50);
    }
    return 0;
}
