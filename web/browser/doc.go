// Package browser is what a program does in a page: it plays (package play) or shows recordings (package replay), by functions
// that JavaScript calls.
//
// How bytes pass to and fro is said in package memory. Times are in milliseconds by the page's clock.
package browser
