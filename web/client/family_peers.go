//go:build js && wasm && peers

package main

import "throng/catalog"

func mechanisms() []catalog.Mechanism { return catalog.Peers() }
