const defaults = {
  /**
   * Maximum bytes of a message. If a message is longer, the socket closes with code 1009. Default:
   * 64 KiB.
   */
  maxMessageBytes: 65_536,
  /**
   * Maximum messages and pings per second from a client. If there are more, the socket closes with
   * code 1008. Default: 50.
   */
  messagesPerSecond: 50,
  /**
   * Maximum bytes that wait for a client to read them. Above this, the client is cut off. Default:
   * 1 MiB.
   */
  maxBufferedBytes: 1_048_576,
  /**
   * Milliseconds between pings. A client that sends nothing until the next ping is cut off.
   * Default: 30 s.
   */
  idleTimeoutMs: 30_000,
  /**
   * Milliseconds after which a socket closes with code 1001, so that the client has to pass your
   * checks again. Default: 1 h.
   */
  maxAgeMs: 3_600_000,
  /** Maximum open sockets of the process. Further requests get a 503. Default: 10,000. */
  maxSockets: 10_000,
  /**
   * Maximum open sockets per client address, if the address is known and not local. Default: 100.
   */
  maxSocketsPerClient: 100,
}

/** Limits of a socket and of the process. Sizes are in bytes and times in milliseconds. */
export type SocketLimits = Readonly<typeof defaults>

/** @throws if a limit is unknown, or isn't a whole number above 0 that a timer can have */
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
