//go:build js && wasm && actions

package main

import "throng/catalog"

func mechanisms() []catalog.Mechanism { return catalog.Actions() }
