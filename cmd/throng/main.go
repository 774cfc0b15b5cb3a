// Throng puts a crowd into one virtual world. See throng --help.
package main

import "throng/app"

func main() { app.Main(app.Default()) }
