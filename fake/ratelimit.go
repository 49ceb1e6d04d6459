package fake

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"golang.org/x/time/rate"
)

// limit takes one request from what the user's rate limit allows. If that is
// nothing, it returns the whole seconds after which it will be something. It is
// called with the server's lock held.
func (n *account) limit() (wait int) {
	allowed := n.user.given.RateLimit
	if allowed == nil {
		return 0
	}
	if n.limiter == nil {
		n.limiter = rate.NewLimiter(rate.Limit(float64(allowed.Requests)/allowed.Per.Seconds()), allowed.Requests)
	}
	now := time.Now()
	if n.limiter.AllowN(now, 1) {
		return 0
	}
	missing := (1 - n.limiter.TokensAt(now)) / float64(n.limiter.Limit())
	// What is missing to a whole second by less than a clock's tick is no reason
	// to wait for another one.
	return max(1, int(math.Ceil(missing-1e-9)))
}

// rateLimited answers a request beyond the user's rate limit.
func (s *Server) rateLimited(x *exchange, wait int) {
	limit := fmt.Sprintf("%s in %s", counted(x.user.given.RateLimit.Requests, "request"), Delay{Fixed: x.user.given.RateLimit.Per})
	x.because("user %q has reached its rate limit of %s; the next is answered in %d s", x.token, limit, wait)
	x.Header().Set("Retry-After", strconv.Itoa(wait))
	x.setup.answers.rateLimited.send(x, fmt.Sprintf("The limit is %s. Try again in %d s.", limit, wait))
}
