use std::hint::black_box;

#[inline(never)]
fn fib(n: u64) -> u64 {
    if n < 2 { n } else { fib(black_box(n - 1)) + black_box(fib(n - 2)) }
}

#[inline(never)]
fn work() -> ! {
    loop {
        black_box(fib(black_box(25)));
    }
}

fn main() {
    work();
}
