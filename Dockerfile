# The image of campaignfake: a static binary and nothing else.
FROM golang:1.26 AS build
WORKDIR /src

# Modules come first, so that a change of code does not download them again.
COPY go.mod go.sum ./
RUN go mod download
COPY cmd ./cmd
COPY fake ./fake
COPY fixtures ./fixtures
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /campaignfake ./cmd/campaignfake

FROM scratch
COPY --from=build /campaignfake /campaignfake
USER 65532:65532
# Inside a container, loopback would be out of everyone's reach.
ENV CAMPAIGNFAKE_LISTEN=0.0.0.0:8642
EXPOSE 8642
HEALTHCHECK --interval=2s --timeout=2s --start-period=5s --retries=3 CMD ["/campaignfake", "health"]
ENTRYPOINT ["/campaignfake"]
