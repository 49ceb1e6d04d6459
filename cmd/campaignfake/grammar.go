package main

import (
	"encoding"
	"reflect"
	"slices"
	"strings"
)

// A command is a command of this program. The fields of its runner are its flags and
// arguments, described by tags: flag and arg are the name, help and placeholder are for
// the help, default is the value if none is given, and missing is the error in that case.
// A flag is also a variable, unless its tag env is off.
type command struct {
	name, help string
	runner
}

type runner interface{ run(*call) error }

// A parameter is a flag or an argument of a command.
type parameter struct {
	name, help, placeholder, byDefault, missing string
	variable                                    string // "" if it has none
	isFlag                                      bool
	value                                       reflect.Value
}

// parameters returns the flags and the arguments of a command.
func (c *command) parameters() []*parameter {
	return parametersOf(reflect.ValueOf(c.runner).Elem())
}

func parametersOf(fields reflect.Value) (list []*parameter) {
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		flag, isFlag := field.Tag.Lookup("flag")
		argument, isArgument := field.Tag.Lookup("arg")
		switch {
		case field.Anonymous:
			list = append(list, parametersOf(fields.Field(i))...)
		case isFlag || isArgument:
			p := &parameter{
				name: flag + argument, help: field.Tag.Get("help"), placeholder: field.Tag.Get("placeholder"),
				byDefault: strings.ReplaceAll(field.Tag.Get("default"), "${listen}", listen), missing: field.Tag.Get("missing"),
				isFlag: isFlag, value: fields.Field(i),
			}
			p.help = strings.ReplaceAll(p.help, "${default}", p.byDefault)
			if isFlag && field.Tag.Get("env") != "off" {
				p.variable = variablePrefix + "_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
			}
			list = append(list, p)
		}
	}
	return list
}

// flags returns the flags of a command.
func (c *command) flags() []*parameter {
	return slices.DeleteFunc(c.parameters(), func(p *parameter) bool { return !p.isFlag })
}

// arguments returns the arguments of a command.
func (c *command) arguments() []*parameter {
	return slices.DeleteFunc(c.parameters(), func(p *parameter) bool { return p.isFlag })
}

// taking returns the parameter that takes the argument at an index: a list at the end
// takes all that follow. It returns nil if there is none.
func taking(arguments []*parameter, index int) *parameter {
	last := len(arguments) - 1
	if index > last && (last < 0 || !arguments[last].isList()) {
		return nil
	}
	return arguments[min(index, last)]
}

// flag returns the flag that is written as word, nil if there is none.
func (c *command) flag(word string) *parameter {
	for _, f := range c.flags() {
		if "--"+f.name == word {
			return f
		}
	}
	return nil
}

// isSwitch reports whether a flag is on or off.
func (p *parameter) isSwitch() bool { return p.value.Kind() == reflect.Bool }

// isList reports whether a parameter can be given more than once.
func (p *parameter) isList() bool { return p.value.Kind() == reflect.Slice }

// written returns the parameter as a message names it.
func (p *parameter) written() string {
	if p.isFlag {
		return "--" + p.name
	}
	return "<" + p.name + ">"
}

// set sets the value from texts, if there are any: a list to all of them, anything else
// to the last.
func (p *parameter) set(texts []string) error {
	if len(texts) == 0 {
		return nil
	}
	p.value.SetZero()
	if !p.isList() {
		texts = texts[len(texts)-1:]
	}
	for _, text := range texts {
		if err := p.add(text); err != nil {
			return err
		}
	}
	return nil
}

// add adds a text to a list, or sets any other value, and checks it. Only a plain string
// can be empty.
func (p *parameter) add(text string) error {
	if p.value.Kind() == reflect.Pointer {
		p.value.Set(reflect.New(p.value.Type().Elem()))
		return (&parameter{value: p.value.Elem()}).add(text)
	}
	err := p.addText(text)
	if err == nil && text == "" && p.value.Type().PkgPath() != "" {
		return emptyValue()
	}
	return err
}

func (p *parameter) addText(text string) error {
	switch target := p.value.Addr().Interface().(type) {
	case encoding.TextUnmarshaler:
		return target.UnmarshalText([]byte(text))
	case *choice:
		return target.choose(text, strings.Split(p.placeholder, "|"))
	case *bool:
		return setSwitch(target, text)
	}
	if !p.isList() {
		p.value.SetString(text)
	} else if err := p.addElements(text); err != nil {
		return err
	}
	if checked, ok := p.value.Interface().(interface{ check() error }); ok {
		return checked.check()
	}
	return nil
}

// addElements adds a text to a list. A list whose type has a name is written with commas
// between its elements.
func (p *parameter) addElements(text string) error {
	texts := []string{text}
	if p.value.Type().Name() != "" {
		texts = strings.Split(text, ",")
	}
	for _, text := range texts {
		element := reflect.New(p.value.Type().Elem()).Elem()
		if err := (&parameter{value: element}).add(strings.TrimSpace(text)); err != nil {
			return err
		}
		p.value.Set(reflect.Append(p.value, element))
	}
	return nil
}
