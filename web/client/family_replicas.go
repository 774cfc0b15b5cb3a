//go:build js && wasm && replicas

package main

import "throng/catalog"

func mechanisms() []catalog.Mechanism { return catalog.Replicas() }
