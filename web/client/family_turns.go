//go:build js && wasm && turns

package main

import "throng/catalog"

func mechanisms() []catalog.Mechanism { return catalog.Turns() }
