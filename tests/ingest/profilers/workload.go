// Memory in functions of known names, as the text that net/http/pprof prints with debug=1.
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
)

var kept [][]byte

//go:noinline
func keeps(count int) {
	for i := 0; i < count; i++ {
		kept = append(kept, make([]byte, 4096))
	}
}

func main() {
	runtime.MemProfileRate = 512
	keeps(1000)
	runtime.GC()
	file, err := os.Create(os.Args[1] + "/heap.txt")
	if err != nil {
		panic(err)
	}
	pprof.Lookup("heap").WriteTo(file, 1)
	file.Close()
}
