package wire

import (
	"net"
	"syscall"
)

// limitUnsent bounds the bytes that the kernel holds before it sends them. They pile up
// if the client does not read. What is on its way to a client that reads is not bounded.
func limitUnsent(conn *net.TCPConn, bytes int) {
	const notSentLowWater = 25 // TCP_NOTSENT_LOWAT
	if raw, err := conn.SyscallConn(); err == nil {
		raw.Control(func(descriptor uintptr) {
			syscall.SetsockoptInt(int(descriptor), syscall.IPPROTO_TCP, notSentLowWater, bytes)
		})
	}
}
