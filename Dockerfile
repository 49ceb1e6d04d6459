# The image of campaignfake: a static binary, and the certificates that clients trust.
# BuildKit builds it, with --platform for another processor than the builder's.
#   VERSION   what the binary says that it is
#   GOPROXY   where the modules come from
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETARCH
ARG VERSION="(devel)"
ARG GOPROXY
WORKDIR /src
COPY . .
# In a container, loopback is out of everyone's reach, so the server listens everywhere.
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOARCH=$TARGETARCH go build -trimpath -o /campaignfake \
    -ldflags="-s -w -X main.listen=:8642 -X example.com/campaignfake/fake/internal/words.stamped=$VERSION" \
    ./cmd/campaignfake

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /campaignfake /
USER 65532:65532
EXPOSE 8642
HEALTHCHECK --interval=1s --timeout=2s --retries=5 CMD ["/campaignfake", "health"]
ENTRYPOINT ["/campaignfake"]
