const defaults = {
  /** Maximum bytes of a message. A longer one closes its socket with code 1009. Default: 64 KiB. */
  maxMessageBytes: 65_536,
  /**
   * Messages and pings that a client may send per second. If a client sends more, its socket closes with
   * code 1008. Default: 50.
   */
  messagesPerSecond: 50,
  /**
   * Bytes that may wait for a client to read them. If more bytes wait, the connection is cut. Default: 1
   * MiB.
   */
  maxBufferedBytes: 1_048_576,
  /** Interval of pings. A client that sends nothing until the next ping is cut off. Default: 30 s. */
  idleTimeoutMs: 30_000,
  /**
   * Time after which a socket closes with 1001, so that its client passes your checks again. Default: 1
   * h.
   */
  maxAgeMs: 3_600_000,
  /** Open sockets of the process. Further requests get a 503. Default: 10,000. */
  maxSockets: 10_000,
  /** Open sockets of one client address, if it is known and not local. Default: 100. */
  maxSocketsPerClient: 100,
}

/** Limits of a socket and of the process. Sizes are in bytes and times in milliseconds. */
export type SocketLimits = Readonly<typeof defaults>

/** @throws if a limit is unknown, or not a whole number above 0 that a timer can have */
export function readLimits(limits: Partial<SocketLimits> = {}): SocketLimits {
  for (const [name, value] of Object.entries(limits)) {
    if (Object.hasOwn(defaults, name) && Number.isInteger(value) && value > 0 && value < 2 ** 31)
      continue
    throw new RangeError(
      `upgrade() got the invalid limit ${name}: ${value}. Use a known limit with a whole number from 1 to 2147483647.`,
    )
  }
  return { ...defaults, ...limits }
}
