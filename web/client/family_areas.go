//go:build js && wasm && areas

package main

import "throng/catalog"

func mechanisms() []catalog.Mechanism { return catalog.Areas() }
