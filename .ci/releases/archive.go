package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// An entry is a file in an archive.
type entry struct {
	name string
	mode os.FileMode
	text []byte
}

// archive writes the archive of a binary: a zip for Windows, a tar.gz for others.
func (r *release) archive(b binary) error {
	program, err := os.ReadFile(b.path)
	if err != nil {
		return err
	}
	documents, err := r.documents(b)
	if err != nil {
		return err
	}
	entries := append([]entry{{filepath.Base(b.path), 0o755, program}}, documents...)
	platform := "-" + b.system + "-" + b.architecture
	if b.system == "windows" {
		text, err := zipped(entries, r.at)
		return errors.Join(err, os.WriteFile(r.file(platform+".zip"), text, 0o644))
	}
	text, err := tarred(entries, r.at)
	if err == nil {
		text, err = gzipped(text)
	}
	return errors.Join(err, os.WriteFile(r.file(platform+".tar.gz"), text, 0o644))
}

// documents returns the texts that are handed out with a binary.
func (r *release) documents(b binary) ([]entry, error) {
	readme, err := os.ReadFile(filepath.Join(r.source, "README.md"))
	if err != nil {
		return nil, err
	}
	licenses, err := r.licenses(b)
	return []entry{{"README.md", 0o644, readme}, {"THIRD_PARTY_LICENSES", 0o644, licenses}}, err
}

// tarred returns a tar of entries, which belong to root.
func tarred(entries []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Mode: int64(e.mode), Size: int64(len(e.text)), ModTime: at, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

func gzipped(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(text)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

func zipped(entries []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		header.SetMode(e.mode)
		file, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(e.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
