//go:build js && wasm && servers

package main

import "throng/catalog"

func mechanisms() []catalog.Mechanism { return catalog.Servers() }
