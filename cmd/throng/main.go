// Throng puts a crowd into one virtual world. See throng --help.
package main

import (
	"throng/app"
	"throng/catalog"
)

func main() { app.Main(catalog.Default()) }
