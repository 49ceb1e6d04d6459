//go:build !linux

package wire

import "net"

// limitUnsent bounds the bytes that the kernel holds before it sends them.
func limitUnsent(conn *net.TCPConn, bytes int) { conn.SetWriteBuffer(bytes) }
