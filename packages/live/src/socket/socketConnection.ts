import { randomUUID } from 'node:crypto'
import type { SocketLimits } from './socketLimits.ts'
import type { Topics } from './topics.ts'

/** A message of text or bytes. */
export type SocketData = string | Uint8Array

/** An open WebSocket. */
export type Socket = {
  /** Random id of the socket. */
  readonly id: string
  /**
   * Sends a message. Does nothing once the socket is closing. A client that doesn't read is cut
   * off.
   */
  send(data: SocketData): void
  /**
   * Subscribes the socket to the messages that this process publishes to a topic. At most 100
   * topics.
   */
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Sends a message to all other subscribers of the topic. */
  publish(topic: string, data: SocketData): void
  /**
   * Closes the socket.
   * @param code 1000, or 3000 to 4999
   * @param reason text for the client, at most 123 bytes
   */
  close(code?: number, reason?: string): void
}

/**
 * Functions that handle a socket's events. They run outside of the request, where `cookies()`
 * throws. Read cookies in the handler instead. If a hook throws, the error is reported and the
 * socket closes with code 1011.
 */
export type SocketHooks = {
  /** Called when the socket is open. */
  readonly open?: (socket: Socket) => unknown
  /** Called for each message, without waiting until the hook has handled the previous one. */
  readonly message?: (socket: Socket, data: SocketData) => unknown
  /** Called once when an open socket has closed. */
  readonly close?: (
    socket: Socket,
    why: { readonly code: number; readonly reason: string },
  ) => unknown
  /** Called when the connection fails, or its client breaks the protocol or a limit. `close` follows. */
  readonly error?: (socket: Socket, error: Error) => unknown
}

/** Connection that sends and receives a socket's frames. */
export type Transport = {
  send(data: SocketData): void
  /** Returns the number of bytes that the client hasn't read yet. */
  bufferedBytes(): number
  /** @throws if a close frame can't have this code or reason */
  close(code: number, reason: string): void
  terminate(): void
}

export type ConnectionOptions = {
  readonly hooks: SocketHooks
  readonly limits: SocketLimits
  readonly topics: Topics<SocketData>
  readonly report: (thrown: unknown) => void
  readonly now?: () => number
}

export type Connection = ReturnType<typeof createSocketConnection>

/** Milliseconds within which a client must answer a close frame before it is cut off. */
const closeWithinMs = 2_000
const maxTopics = 100

/** Passes a connection's events to the hooks, within limits. */
export function createSocketConnection(options: ConnectionOptions) {
  const { hooks, limits, topics, report, now = Date.now } = options
  const mayCome = createRate(limits.messagesPerSecond, now)
  const link = createLink(limits)
  const socket = createSocket(link, topics)
  let isEnding = false

  async function run(call: () => unknown): Promise<void> {
    try {
      await call()
    } catch (thrown) {
      report(thrown)
      link.close(1011, '')
    }
  }

  return {
    opened(transport: Transport): void {
      link.open(transport)
      void run(() => hooks.open?.(socket))
      if (isEnding) link.close(1001, 'the server is shutting down')
    },
    received(data: SocketData): void {
      if (link.isClosing()) return
      if (mayCome()) void run(() => hooks.message?.(socket, data))
      else link.close(1008, 'too many messages')
    },
    /** Called after a ping arrived and was answered. */
    pinged(): void {
      link.cutSlowReader()
      if (!link.isClosing() && !mayCome()) link.close(1008, 'too many pings')
    },
    failed(error: Error): void {
      void run(() => hooks.error?.(socket, error))
      link.scheduleCut()
    },
    closed(code: number, reason: string): void {
      link.closed()
      void run(() => hooks.close?.(socket, { code, reason }))
    },
    /** Closes the socket because the server is shutting down. The client has to reconnect. */
    end(): void {
      isEnding = true
      link.close(1001, 'the server is shutting down')
    },
  }
}

type Link = ReturnType<typeof createLink>

/** Contains a socket's transport and controls how it ends. */
function createLink(limits: SocketLimits) {
  const listeners: (() => void)[] = []
  let transport: Transport | null = null
  let isClosing = false
  let age: NodeJS.Timeout | undefined
  let cut: NodeJS.Timeout | undefined

  function leave(): void {
    isClosing = true
    clearTimeout(age)
    for (const listener of listeners.splice(0)) listener()
  }

  const link = {
    isClosing: () => isClosing,
    onClosing: (listener: () => void) => listeners.push(listener),
    open(by: Transport): void {
      transport = by
      // Clients that connected together should not reconnect together, so the lifetime is random.
      const lastsMs = limits.maxAgeMs * (0.8 + Math.random() * 0.2)
      age = setTimeout(() => link.close(1001, 'reconnect'), lastsMs)
      age.unref()
    },
    send(data: SocketData): void {
      if (isClosing) return
      transport?.send(data)
      link.cutSlowReader()
    },
    cutSlowReader(): void {
      if (transport === null || transport.bufferedBytes() <= limits.maxBufferedBytes) return
      leave()
      transport.terminate()
    },
    close(code: number, reason: string): void {
      if (isClosing || transport === null) return
      transport.close(code, reason)
      leave()
      link.scheduleCut()
    },
    scheduleCut(): void {
      if (transport) cut ??= setTimeout(transport.terminate, closeWithinMs)
    },
    closed(): void {
      leave()
      clearTimeout(cut)
    },
  }
  return link
}

function createSocket(link: Link, topics: Topics<SocketData>): Socket {
  const subscribed = new Set<string>()
  const socket: Socket = {
    id: randomUUID(),
    send: link.send,
    subscribe(topic) {
      if (link.isClosing()) return
      if (subscribed.size >= maxTopics && !subscribed.has(topic)) {
        throw new RangeError(
          `A socket can't subscribe to more than ${maxTopics} topics. Unsubscribe from one first.`,
        )
      }
      subscribed.add(topic)
      topics.add(topic, socket)
    },
    unsubscribe(topic) {
      subscribed.delete(topic)
      topics.remove(topic, socket)
    },
    publish: (topic, data) => topics.publish(topic, data, socket),
    close: (code = 1000, reason = '') => link.close(code, reason),
  }
  link.onClosing(() => {
    for (const topic of subscribed) socket.unsubscribe(topic)
  })
  return socket
}

/** @returns a function that returns false if it is called too often within a second */
function createRate(perSecond: number, now: () => number): () => boolean {
  let second = 0
  let count = 0
  return () => {
    const current = Math.floor(now() / 1_000)
    if (current !== second) count = 0
    second = current
    count++
    return count <= perSecond
  }
}
