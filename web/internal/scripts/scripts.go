// Package scripts makes what a browser loads of the page's sources: one script and one style sheet for each page. It does so
// with esbuild as a library and from memory, so that nobody needs Node.js or the sources on disk.
package scripts

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// The entry points, and the folder of what is served as it is.
const pages = "src/pages"

var entries = []string{"src/play.ts", "src/view.ts", pages + "/play.css", pages + "/view.css"}

// Others' code, by the names under which ours imports it.
var thirdParty = map[string]string{
	"uplot":                    "third_party/uplot/uPlot.esm.js",
	"uplot/dist/uPlot.min.css": "third_party/uplot/uPlot.min.css",
}

// Bundle returns the page's files by their names. What Go compiles is not among them.
func Bundle(sources fs.FS) (map[string][]byte, error) {
	options := smallest()
	options.EntryPoints = entries
	options.EntryNames = "[name]"
	options.Outdir = "/"
	options.Bundle = true
	options.Plugins = []api.Plugin{{Name: "embedded", Setup: func(b api.PluginBuild) { embedded(b, sources) }}}
	result := api.Build(options)
	if err := problem(result.Errors); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, f := range result.OutputFiles {
		files[path.Base(strings.ReplaceAll(f.Path, `\`, "/"))] = f.Contents
	}
	return files, copyPages(sources, files)
}

// Minify makes a script smaller.
func Minify(script []byte) ([]byte, error) {
	o := smallest()
	result := api.Transform(string(script), api.TransformOptions{
		Target: o.Target, Charset: o.Charset, LegalComments: o.LegalComments, Format: o.Format,
		MinifySyntax: o.MinifySyntax, MinifyWhitespace: o.MinifyWhitespace, MinifyIdentifiers: o.MinifyIdentifiers,
	})
	return result.Code, problem(result.Errors)
}

func smallest() api.BuildOptions {
	return api.BuildOptions{
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsEndOfFile,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
	}
}

func problem(messages []api.Message) error {
	if len(messages) == 0 {
		return nil
	}
	list := api.FormatMessages(messages, api.FormatMessagesOptions{Kind: api.ErrorMessage})
	return errors.New("the page's scripts do not fit together: " + strings.TrimSpace(list[0]))
}

// embedded has esbuild read the sources instead of the disk.
func embedded(b api.PluginBuild, sources fs.FS) {
	const namespace = "embedded"
	b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if a.Kind == api.ResolveEntryPoint {
			return api.OnResolveResult{Path: path.Clean(a.Path), Namespace: namespace}, nil // esbuild prefixes what is on disk too
		}
		if strings.HasPrefix(a.Path, "/") {
			return api.OnResolveResult{Path: a.Path, External: true}, nil // the browser finds it
		}
		name, ok := thirdParty[a.Path]
		if !ok {
			name = path.Join(path.Dir(a.Importer), a.Path)
		}
		if path.Ext(name) == "" {
			name += ".ts"
		}
		return api.OnResolveResult{Path: name, Namespace: namespace}, nil
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: namespace}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := read(sources, a.Path)
		return api.OnLoadResult{Contents: &text, Loader: loaders[path.Ext(a.Path)]}, err
	})
}

// read reads a source. Others' code takes its licence along, as a comment that survives.
func read(sources fs.FS, name string) (string, error) {
	content, err := fs.ReadFile(sources, name)
	if err != nil || !strings.HasPrefix(name, "third_party/") {
		return string(content), err
	}
	licence, err := fs.ReadFile(sources, path.Join(path.Dir(name), "LICENSE"))
	return fmt.Sprintf("/*! %s\n%s*/\n%s", path.Base(name), licence, content), err
}

var loaders = map[string]api.Loader{".ts": api.LoaderTS, ".js": api.LoaderJS, ".css": api.LoaderCSS}

// copyPages takes what needs no work.
func copyPages(sources fs.FS, files map[string][]byte) error {
	list, err := fs.ReadDir(sources, pages)
	if err != nil {
		return fmt.Errorf("the page's sources: %w", err)
	}
	for _, p := range list {
		if path.Ext(p.Name()) == ".css" {
			continue
		}
		if files[p.Name()], err = fs.ReadFile(sources, path.Join(pages, p.Name())); err != nil {
			return err
		}
	}
	return nil
}
