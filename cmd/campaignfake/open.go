package main

import (
	"log/slog"
	"os"
	"os/exec"
	"runtime"
)

// openPage opens a URL in the browser. An error is only a warning: the server runs.
func openPage(logger *slog.Logger, url string) {
	if os.Getpid() == 1 {
		logger.Warn("the page cannot be opened from inside a container; open it in a browser, and leave --open out", slog.String("page", url))
		return
	}
	opener := exec.Command("xdg-open", url)
	switch runtime.GOOS {
	case "darwin":
		opener = exec.Command("open", url)
	case "windows":
		opener = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	}
	if err := opener.Run(); err != nil {
		logger.Warn("the page could not be opened; open it in a browser", slog.String("page", url), slog.String("error", err.Error()))
	}
}
