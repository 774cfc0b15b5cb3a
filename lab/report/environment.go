package report

import (
	"runtime"
	"runtime/debug"
)

// Environment is what a result was computed with. It stands in the page only: results themselves are the same everywhere.
type Environment struct {
	Version   string // of throng
	GoVersion string
	OS, Arch  string
	Level     string // of the instruction set, as in GOAMD64: "v3"; may be empty

	// Command repeats the experiment, overrides included. Empty means what the result alone tells: throng run with
	// the name and the seed.
	Command string

	// Definition says what a figure is; it may be nil.
	Definition func(figure string) string
}

func (e Environment) definition(figure string) string {
	if e.Definition == nil {
		return ""
	}
	return e.Definition(figure)
}

// CurrentEnvironment describes the running program.
func CurrentEnvironment(version, command string) Environment {
	e := Environment{
		Version: version, GoVersion: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Command: command,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "GOAMD64", "GOARM64":
				e.Level = s.Value
			}
		}
	}
	return e
}

func (e Environment) facts() (all []fact) {
	platform := e.OS + "/" + e.Arch
	if e.Level != "" {
		platform += " " + e.Level
	}
	for _, f := range []fact{{"throng", e.Version}, {"Go", e.GoVersion}, {"platform", platform}} {
		if f.Value != "" && f.Value != "/" {
			all = append(all, f)
		}
	}
	return all
}
