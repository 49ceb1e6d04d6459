# The image of campaignfake: a static binary, the certificates that clients trust,
# and nothing else. TARGETARCH is amd64 or arm64, that of the builder unless it is
# given; VERSION is what the binary calls itself.
FROM golang:1.26 AS build
WORKDIR /src

# A place for --tls-cert: a new volume has the permissions of what it covers.
RUN mkdir /image && mkdir -m 1777 /image/tls

# Modules come first, so that a change of code does not download them again.
COPY go.mod go.sum ./
RUN go mod download
COPY cmd ./cmd
COPY fake ./fake
COPY fixtures ./fixtures
ARG TARGETARCH
ARG VERSION
# Without inlining, the binary is a tenth smaller; containers are started far more
# often than they are asked. Inside a container, loopback would be out of everyone's
# reach, so that is not where the server listens unless it is told to.
RUN CGO_ENABLED=0 GOARCH=$TARGETARCH go build -trimpath -gcflags=all=-l \
    -ldflags="-s -w -X example.com/campaignfake/fake.stamped=$VERSION -X main.listen=:8642" \
    -o /image/campaignfake ./cmd/campaignfake

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /image/ /
USER 65532:65532
EXPOSE 8642
HEALTHCHECK --interval=1s --timeout=2s --retries=5 CMD ["/campaignfake", "health"]
ENTRYPOINT ["/campaignfake"]
