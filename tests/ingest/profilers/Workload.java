// Work, allocations and waiting in methods of known names, for Flight Recorder to look at.
import java.util.Arrays;
import java.util.Random;

public class Workload {
    static volatile long sink;

    static int fibonacci(int n)
    {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static void sorts()
    {
        long[] numbers = new Random(1).longs(50000).toArray();
        Arrays.sort(numbers);
        sink += numbers[3];
    }

    public static void main(String[] arguments) throws Exception
    {
        long end = System.nanoTime() + 1_500_000_000L;
        while (System.nanoTime() < end) {
            sink += fibonacci(25);
            sorts();
        }
        Thread.sleep(30);
    }
}
