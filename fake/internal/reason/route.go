package reason

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/protocol"
)

// A WrongPath refuses a request for a path that the service does not have.
type WrongPath struct {
	Path        string   // as it was sent, shortened
	Differences []string // from plan.NearMiss; nil if the path is not nearly right
	IsConnect   bool     // the method is CONNECT, which has no path

	want string // the path of the campaigns
}

// NewWrongPath returns what is wrong with the path of a request. The caller has found that it is
// not the path of the campaigns.
func NewWrongPath(r *http.Request, basePath string) WrongPath {
	path := r.URL.EscapedPath()
	if path == "" {
		path = "/" // the URL in a request to a proxy may end with the host
	}
	return WrongPath{
		Path:        words.CutInput(path),
		Differences: plan.NearMiss(path, basePath),
		IsConnect:   r.Method == http.MethodConnect,
		want:        basePath + protocol.CampaignsPath,
	}
}

func (w WrongPath) String() string {
	return fmt.Sprintf("no route has this path: %s; only GET %s is here", w.difference(), w.want)
}

// Detail says what is wrong with the path, and which path is right.
func (w WrongPath) Detail() string {
	return fmt.Sprintf("%s Only GET %s is here.", w.Difference(), w.want)
}

// Difference says in a sentence what is wrong with the path.
func (w WrongPath) Difference() string {
	return words.Sentence(w.difference())
}

// difference says in a phrase what is wrong with the path.
func (w WrongPath) difference() string {
	switch {
	case w.IsConnect:
		return "the method is CONNECT, which is for proxies, and this server is none"
	case w.Differences == nil:
		return "the path is " + w.Path
	}
	return "the path " + w.Path + " is nearly right, but " + strings.Join(w.Differences, ", and ")
}

// Remedy says how to change the server if the client needs this path: with an option for a test in
// Go, or else with a flag. If the path is nearly right, Remedy returns "", because the client has
// to change, and not the server. For the method CONNECT, Remedy also returns "".
func (w WrongPath) Remedy(isInTest bool) string {
	if w.IsConnect || w.Differences != nil {
		return ""
	}
	base, isOfCampaigns := strings.CutSuffix(w.Path, protocol.CampaignsPath)
	switch {
	case isOfCampaigns && isInTest:
		return fmt.Sprintf("If the base path of the service is %s, give the server "+
			"fake.WithService(fixtures.Service{BasePath: %[1]q}); "+
			"if a mux has put a part of the path before it, use http.StripPrefix.", base)
	case isOfCampaigns:
		return fmt.Sprintf("If the base path of the service is %s, "+
			"start the server with --base-path %[1]s, or write base_path in the fixtures.", base)
	case isInTest:
		return "For the rest of the API, give the server fake.WithFallback or fake.WithUpstream."
	}
	return "For the rest of the API, start the server with --upstream and the URL of the real one."
}

// A WrongMethod refuses a request that has the right path and a method that the service does not
// have.
type WrongMethod struct {
	Method string // shortened
}

func (w WrongMethod) String() string {
	return "the route is there, but not with the method " + w.Method
}

// Detail says which methods the service has.
func (w WrongMethod) Detail() string {
	return fmt.Sprintf("%s is not allowed here. Send one of %s.", w.Method, plan.Allowed)
}

// Difference says in a sentence what is wrong with the method.
func (w WrongMethod) Difference() string {
	return fmt.Sprintf("The method is %s, and has to be GET.", w.Method)
}
