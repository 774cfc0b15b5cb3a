// Package memory is how bytes pass between the page and its WebAssembly.
//
// Calls that pass through syscall/js cost hundreds of times as much as exports do, but exports take and return numbers only.
// So bytes for Go are written to the memory that the export room returns, and bytes from Go lie where the one called result
// says. Both hold until the next call.
package memory
