// Inlined calls as Rust has them, closures and generics among them. The lines are those that the test looks for.

#[inline(always)]
fn inner(number: u64) -> u64 {
    std::hint::black_box(number) * 3 // inner
}

#[inline(always)]
fn middle<Number: Into<u64>>(number: Number) -> u64 {
    let twice = |value: u64| inner(value) + inner(value + 1); // closure
    twice(number.into()) // middle
}

struct Shape {
    sides: u32,
}

impl Shape {
    #[inline(never)]
    fn outer(&self) -> u64 {
        middle(self.sides) + 1 // outer
    }
}

fn main() {
    let mut texts: Vec<String> = (0..20).map(|i| format!("{}", Shape { sides: i }.outer())).collect();
    texts.sort_by(|a, b| b.cmp(a));
    println!("{}", texts.join(" "));
}
