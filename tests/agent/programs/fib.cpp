// Runs until somebody ends it: main, work, fib, fib …
volatile int input = 25;

[[gnu::noinline]] int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

[[gnu::noinline]] int work()
{
    int sum = 0;
    for (;;)
        sum += fib(input);
    return sum;
}

int main()
{
    return work();
}
