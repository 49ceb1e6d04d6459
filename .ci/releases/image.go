package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A descriptor points at a blob of an image, as OCI has it.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// A manifest points at the configuration and the layers of an image, an index at the
// manifests of several platforms.
type manifest struct {
	Schema    int          `json:"schemaVersion"`
	MediaType string       `json:"mediaType"`
	Config    *descriptor  `json:"config,omitempty"`
	Layers    []descriptor `json:"layers,omitempty"`
	Manifests []descriptor `json:"manifests,omitempty"`
}

// A configuration is what the builder says of an image, without what differs from one
// build to the next.
type configuration struct {
	Created time.Time `json:"created"`
	platform
	Config struct {
		User         string                     `json:",omitempty"`
		ExposedPorts map[string]json.RawMessage `json:",omitempty"`
		Env          []string                   `json:",omitempty"`
		Entrypoint   []string                   `json:",omitempty"`
		Healthcheck  json.RawMessage            `json:",omitempty"`
		WorkingDir   string                     `json:",omitempty"`
		Labels       map[string]string          `json:",omitempty"`
	} `json:"config"`
	RootFS struct {
		Type  string   `json:"type"`
		Diffs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

// saved is what docker save says of the one image in its tar, and what docker load reads.
type saved struct {
	Config   string
	RepoTags []string
	Layers   []string
}

const media = "application/vnd.oci.image."

// images writes the image of each platform for docker load, and one with both for
// registries, with the toolchain that has built a binary.
func (r *release) images(b binary) error {
	info, err := buildinfo.ReadFile(b.path)
	if err != nil {
		return err
	}
	toolchain := strings.TrimPrefix(info.GoVersion, "go")
	both, index := blobs{}, manifest{Schema: 2, MediaType: media + "index.v1+json"}
	for _, architecture := range []string{"amd64", "arm64"} {
		text, err := r.buildImage(architecture, toolchain)
		if err != nil {
			return err
		}
		one := blobs{}
		top, loaded, err := one.addImage(text, r.at)
		if err != nil {
			return err
		}
		loaded.RepoTags = []string{"campaignfake:" + r.version}
		if err := r.writeLayout(one, top, "-image-linux-"+architecture+".tar", loaded); err != nil {
			return err
		}
		maps.Copy(both, one)
		index.Manifests = append(index.Manifests, top)
	}
	top, err := both.addJSON(index.MediaType, index)
	return errors.Join(err, r.writeLayout(both, top, "-image.tar"))
}

// buildImage returns what docker save says of the image for an architecture.
func (r *release) buildImage(architecture, toolchain string) ([]byte, error) {
	tag := "campaignfake-release:" + r.version + "-" + architecture
	cmd := exec.Command("docker", "build", "--platform=linux/"+architecture, "--tag="+tag,
		"--build-arg=GO=golang:"+toolchain, "--build-arg=VERSION="+r.version, "--build-arg=REVISION="+r.revision,
		fmt.Sprintf("--build-arg=SOURCE_DATE_EPOCH=%d", r.at.Unix()), r.source)
	cmd.Env = append(os.Environ(), "DOCKER_BUILDKIT=1", "BUILDX_NO_DEFAULT_ATTESTATIONS=1")
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the image for %s cannot be built: %w\n%s", architecture, err, said)
	}
	defer exec.Command("docker", "image", "rm", tag).Run()
	return output("docker", "image", "save", tag)
}

// blobs are the parts of images, by digest.
type blobs map[string][]byte

func (b blobs) add(mediaType string, text []byte) descriptor {
	digest := digestOf(text)
	b[digest] = text
	return descriptor{MediaType: mediaType, Digest: digest, Size: len(text)}
}

func (b blobs) addJSON(mediaType string, value any) (descriptor, error) {
	text, err := json.Marshal(value)
	return b.add(mediaType, text), err
}

// addImage adds an image that docker save has written, and returns its manifest.
func (b blobs) addImage(text []byte, at time.Time) (top descriptor, loaded saved, err error) {
	files, err := untarred(text)
	if err != nil {
		return top, loaded, err
	}
	var from []saved
	if err := json.Unmarshal(files["manifest.json"], &from); err != nil || len(from) != 1 {
		return top, loaded, fmt.Errorf("docker save should say of one image what it is, but says %s (%v)", files["manifest.json"], err)
	}
	var c configuration
	if err := json.Unmarshal(files[from[0].Config], &c); err != nil {
		return top, loaded, err
	}
	c.Created = at
	config, err := b.addJSON(media+"config.v1+json", c)
	if err != nil {
		return top, loaded, err
	}
	m := manifest{Schema: 2, MediaType: media + "manifest.v1+json", Config: &config}
	loaded.Config = blobName(config.Digest)
	for i, name := range from[0].Layers {
		layer, err := b.addLayer(files[name], c.RootFS.Diffs[i])
		if err != nil {
			return top, loaded, err
		}
		m.Layers = append(m.Layers, layer)
		loaded.Layers = append(loaded.Layers, blobName(layer.Digest))
	}
	top, err = b.addJSON(m.MediaType, m)
	top.Platform = &c.platform
	return top, loaded, err
}

// addLayer adds a layer, which engines save compressed or not.
func (b blobs) addLayer(text []byte, diff string) (descriptor, error) {
	if r, err := gzip.NewReader(bytes.NewReader(text)); err == nil {
		if text, err = io.ReadAll(r); err != nil {
			return descriptor{}, err
		}
	}
	if digest := digestOf(text); digest != diff {
		return descriptor{}, fmt.Errorf("a layer that should be %s is %s", diff, digest)
	}
	text, err := gzipped(text)
	return b.add(media+"layer.v1.tar+gzip", text), err
}

// writeLayout writes images as OCI lays them out; docker load of older engines also needs
// what docker save would say.
func (r *release) writeLayout(b blobs, top descriptor, end string, loaded ...saved) error {
	top.Annotations = map[string]string{
		"org.opencontainers.image.ref.name": r.version,
		"io.containerd.image.name":          "docker.io/library/campaignfake:" + r.version,
	}
	index, err := json.Marshal(manifest{Schema: 2, MediaType: media + "index.v1+json", Manifests: []descriptor{top}})
	if err != nil {
		return err
	}
	entries := []entry{{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {"index.json", 0o644, index}}
	if len(loaded) > 0 {
		text, err := json.Marshal(loaded)
		if err != nil {
			return err
		}
		entries = append(entries, entry{"manifest.json", 0o644, text})
	}
	for _, digest := range slices.Sorted(maps.Keys(b)) {
		entries = append(entries, entry{blobName(digest), 0o644, b[digest]})
	}
	text, err := tarred(entries, r.at)
	return errors.Join(err, os.WriteFile(r.file(end), text, 0o644))
}

func digestOf(text []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(text)) }

func blobName(digest string) string { return "blobs/sha256/" + digest[len("sha256:"):] }

// untarred returns the files of a tar.
func untarred(text []byte) (map[string][]byte, error) {
	files := make(map[string][]byte)
	for r := tar.NewReader(bytes.NewReader(text)); ; {
		header, err := r.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if files[header.Name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
}
