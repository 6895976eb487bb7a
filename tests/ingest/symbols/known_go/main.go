// Tells of some of its own addresses in which functions and lines they are, the innermost first:
//
//	4a20cf main.inner:19 main.around.func1:38 main.around:39
package main

import (
	"fmt"
	"runtime"
	"sort"
	"strings"
)

var addresses [8]uintptr

type shape struct{ sides int }

// Always inlined: small enough.
func inner(skip int) int {
	return runtime.Callers(skip, addresses[:])
}

func middle[T any](values []T) int {
	return inner(1) + len(values)
}

//go:noinline
func outer() int {
	return middle([]string{"a"})
}

//go:noinline
func (s *shape) draw() int {
	return inner(1) + s.sides
}

//go:noinline
func around() int {
	call := func() int { return inner(1) }
	return call()
}

// Prints what was inlined into each other where runtime.Callers was called.
func tell() {
	var chain []string
	frames := runtime.CallersFrames(addresses[:])
	for {
		frame, more := frames.Next()
		chain = append(chain, fmt.Sprintf("%s:%d", frame.Function, frame.Line))
		if frame.Func != nil || !more { // of inlined calls there is none
			break
		}
	}
	fmt.Printf("%x %s\n", addresses[0]-1, strings.Join(chain, " "))
}

func main() {
	calls := []func() int{outer, (&shape{3}).draw, around}
	sort.Slice(calls, func(i, j int) bool { return i < j })
	for _, call := range calls {
		call()
		tell()
	}
}
