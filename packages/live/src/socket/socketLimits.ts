const defaults = {
  /** Of one message; a longer one closes its socket with 1009. Default: 64 KiB. */
  maxMessageBytes: 65_536,
  /** Messages and pings that a client may send in a second; else 1008. Default: 50. */
  messagesPerSecond: 50,
  /** Bytes that wait for a client to read them; then its connection is cut. Default: 1 MiB. */
  maxBufferedBytes: 1_048_576,
  /** A client is pinged at this interval, and cut when it sends nothing until the next. Default: 30 s. */
  idleTimeoutMs: 30_000,
  /** Then a socket is closed with 1001, so that its client is admitted again. Default: 1 h. */
  maxAgeMs: 3_600_000,
  /** Open sockets of the process; further ones get a 503. Default: 10,000. */
  maxSockets: 10_000,
  /** Those of one address, where it is known and not nearby. Default: 100. */
  maxSocketsPerClient: 100,
}

export type SocketLimits = Readonly<typeof defaults>

/** @throws for what is no whole number above 0 that a timer can have */
export function readLimits(limits: Partial<SocketLimits> = {}): SocketLimits {
  for (const [name, value] of Object.entries(limits)) {
    if (Object.hasOwn(defaults, name) && Number.isInteger(value) && value > 0 && value < 2 ** 31)
      continue
    throw new RangeError(`upgrade() can't have the limit ${name}: ${value}.`)
  }
  return { ...defaults, ...limits }
}
