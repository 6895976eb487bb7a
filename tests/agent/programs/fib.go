package main

//go:noinline
func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

//go:noinline
func work() {
	for {
		fib(25)
	}
}

func main() {
	work()
}
