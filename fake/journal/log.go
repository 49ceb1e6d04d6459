package journal

// LogMessage is the message of the line that the log has for each request. A slog.Handler that
// shows these lines in its own way tells them by it from the others, which are about the server.
const LogMessage = "request"
