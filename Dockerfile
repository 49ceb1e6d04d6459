# The image of campaignfake: a static binary, the certificates that clients trust,
# and nothing else. Every builder can build it for its own platform; with --platform,
# BuildKit builds it for another one.
#
#   GO                 the image with the Go toolchain; name a digest to get the same layers again
#   VERSION, REVISION  what is built: in labels, and the version in the binary
#   SOURCE             where its source is, for a label
#   SOURCE_DATE_EPOCH  the time of all files, in seconds since 1970
ARG GO=golang:1.26
ARG VERSION="(devel)"
ARG REVISION=unknown
ARG SOURCE=https://example.com/campaignfake

# Go compiles for every platform, so this stage is of the builder's own. Builders without
# BuildKit do not name theirs.
FROM --platform=${BUILDPLATFORM:-linux} $GO AS modules
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download

# What the code imports from elsewhere is a list, which a change of code rarely changes.
FROM modules AS imports
COPY cmd ./cmd
COPY fake ./fake
COPY fixtures ./fixtures
ARG TARGETARCH
RUN CGO_ENABLED=0 GOARCH=$TARGETARCH go list -deps -f '{{if not (and .Module .Module.Main)}}{{.ImportPath}}{{end}}' ./cmd/campaignfake >/imports

FROM modules AS build
ARG TARGETARCH
# These packages are compiled before the code comes, so that a change of code does not
# compile them again.
COPY --from=imports /imports /imports
RUN CGO_ENABLED=0 GOARCH=$TARGETARCH go build -trimpath $(cat /imports)
COPY cmd ./cmd
COPY fake ./fake
COPY fixtures ./fixtures
# Inside a container, loopback would be out of everyone's reach, so that is not where
# the server listens unless it is told to.
ARG VERSION
ARG SOURCE_DATE_EPOCH=0
RUN mkdir -p /image/etc/ssl/certs && \
    cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ && \
    CGO_ENABLED=0 GOARCH=$TARGETARCH go build -trimpath \
    -ldflags="-s -w -X example.com/campaignfake/fake/internal/words.stamped=$VERSION -X main.listen=:8642" \
    -o /image/campaignfake ./cmd/campaignfake && \
    find /image -exec touch -d "@$SOURCE_DATE_EPOCH" {} +

FROM scratch
COPY --from=build /image/ /
ARG VERSION
ARG REVISION
ARG SOURCE
LABEL org.opencontainers.image.title="campaignfake" \
      org.opencontainers.image.description="A fake of a campaign listing service, for developers and tests" \
      org.opencontainers.image.version=$VERSION \
      org.opencontainers.image.revision=$REVISION \
      org.opencontainers.image.source=$SOURCE
USER 65532:65532
EXPOSE 8642
HEALTHCHECK --interval=1s --timeout=2s --retries=5 CMD ["/campaignfake", "health"]
ENTRYPOINT ["/campaignfake"]
