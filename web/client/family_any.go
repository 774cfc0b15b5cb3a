//go:build js && wasm && !replicas && !servers && !areas && !actions

package main

import "throng/catalog"

// mechanisms are those that this program can run. A page needs one of them, so there is a program for each family of
// mechanisms, a fourth smaller than this one with all; the family is a build tag.
func mechanisms() []catalog.Mechanism { return catalog.Default().Mechanisms }
