package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// mutation is one small change to one file: the bytes from start to end are replaced.
type mutation struct {
	file       string // relative to the root of the module
	folder     string // of its package
	line       int
	kind       string
	start, end int
	with       string
}

// apply makes the change.
func (m *mutation) apply(source []byte) []byte {
	changed := append([]byte{}, source[:m.start]...)
	changed = append(changed, m.with...)
	return append(changed, source[m.end:]...)
}

// lines are the source lines that the change touches, before and after it.
func (m *mutation) lines(source []byte) (before, after string) {
	first, last := m.start, m.end
	for first > 0 && source[first-1] != '\n' {
		first--
	}
	for last < len(source) && source[last] != '\n' {
		last++
	}
	return string(source[first:last]), string(source[first:m.start]) + m.with + string(source[m.end:last])
}

// finder collects the mutations of one file.
type finder struct {
	file, folder string
	source       []byte
	set          *token.FileSet
	found        []mutation
}

// find lists every mutation of a file, in the order of the syntax tree.
func find(file, folder string, source []byte) ([]mutation, error) {
	f := &finder{file: file, folder: folder, source: source, set: token.NewFileSet()}
	tree, err := parser.ParseFile(f.set, file, source, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			f.returnEarly(fn)
			ast.Inspect(fn.Body, f.visit)
		}
	}
	return f.found, nil
}

func (f *finder) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *finder) add(kind string, from, to token.Pos, with string) {
	f.found = append(f.found, mutation{f.file, f.folder, f.set.Position(from).Line, kind, f.offset(from), f.offset(to), with})
}

// swaps are the operators that are taken for another. What does not compile is dropped when it is tried.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.QUO,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND, token.XOR: token.OR,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN,
	token.QUO_ASSIGN: token.MUL_ASSIGN, token.INC: token.DEC, token.DEC: token.INC,
	token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK,
}

// words are the names that are taken for another.
var words = map[string]string{"true": "false", "false": "true", "min": "max", "max": "min"}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.add("negated", n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
	case *ast.ForStmt:
		if n.Cond != nil {
			f.add("negated", n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
		}
	case *ast.BinaryExpr:
		f.swap(n.OpPos, n.Op)
	case *ast.IncDecStmt:
		f.swap(n.TokPos, n.Tok)
		f.drop(n)
	case *ast.BranchStmt:
		f.swap(n.TokPos, n.Tok)
	case *ast.AssignStmt:
		f.assignment(n)
	case *ast.ExprStmt:
		return f.statement(n)
	case *ast.CallExpr:
		return !idle(n)
	case *ast.BasicLit:
		if n.Kind == token.INT {
			f.add("constant", n.Pos(), n.End(), another(n.Value))
		}
	case *ast.Ident:
		if w, ok := words[n.Name]; ok {
			f.add("word", n.Pos(), n.End(), w)
		}
	}
	return true
}

// another is a number next to a literal one.
func another(literal string) string {
	if n, err := strconv.ParseUint(literal, 0, 63); err == nil {
		return strconv.FormatUint(n+1, 10)
	}
	return "(" + literal + " - 1)"
}

func (f *finder) swap(at token.Pos, op token.Token) {
	if other, ok := swaps[op]; ok {
		f.add("operator", at, at+token.Pos(len(op.String())), other.String())
	}
}

func (f *finder) drop(n ast.Stmt) { f.add("dropped", n.Pos(), n.End(), "") }

// assignment drops what is assigned, and still computes it: else what it is computed from would be unused.
func (f *finder) assignment(n *ast.AssignStmt) {
	if n.Tok == token.DEFINE || f.text(n.Lhs[0]) == "_" {
		return
	}
	f.swap(n.TokPos, n.Tok)
	blanks := strings.Repeat("_, ", len(n.Lhs)-1) + "_"
	f.add("dropped", n.Pos(), n.Rhs[0].Pos(), blanks+" = ")
}

// statement drops a call, unless nothing but memory or messages for people hang on it.
func (f *finder) statement(n *ast.ExprStmt) bool {
	call, ok := n.X.(*ast.CallExpr)
	if !ok || idle(call) {
		return false
	}
	f.drop(n)
	return true
}

// idle reports whether a call does nothing that a test could notice: it makes room or gives it back, or panics over what
// cannot be.
func idle(call *ast.CallExpr) bool {
	switch name := called(call); name {
	case "make", "panic", "Release", "Grow", "Clip":
		return true
	}
	return false
}

func called(call *ast.CallExpr) string {
	switch fn := call.Fun.(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		return fn.Sel.Name
	}
	return ""
}

// returnEarly has a function do nothing and return zeros.
func (f *finder) returnEarly(fn *ast.FuncDecl) {
	if len(fn.Body.List) == 0 {
		return
	}
	var zeros []string
	if fn.Type.Results != nil {
		for _, r := range fn.Type.Results.List {
			for range max(1, len(r.Names)) {
				zeros = append(zeros, "*new("+f.text(r.Type)+")")
			}
		}
	}
	at := fn.Body.Lbrace + 1
	f.add("returned", at, at, " if true { return "+strings.Join(zeros, ", ")+" };")
}
