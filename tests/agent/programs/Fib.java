public class Fib {
    static int fib(int n)
    {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int work()
    {
        int sum = 0;
        for (;;)
            sum += fib(12);
    }

    public static void main(String[] arguments)
    {
        work();
    }
}
