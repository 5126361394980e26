import { randomUUID } from 'node:crypto'
import type { SocketLimits } from './socketLimits.ts'
import type { Topics } from './topics.ts'

/** A message of text, or of bytes. */
export type SocketData = string | Uint8Array

/** An open WebSocket. */
export type Socket = {
  readonly id: string
  /** Does nothing once the socket closes. Cuts a client that does not read. */
  send(data: SocketData): void
  /** Has the socket get what is published under a topic in this process; at most 100 topics. */
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Sends to all other subscribers of a topic. */
  publish(topic: string, data: SocketData): void
  /** @param code 1000, or 3000 to 4999 @param reason at most 123 bytes; its client reads it */
  close(code?: number, reason?: string): void
}

/**
 * What runs at the events of a socket. No request is around it: `cookies()` throws, so the handler
 * reads before what a hook needs. What a hook throws is reported, and closes the socket with 1011.
 */
export type SocketHooks = {
  readonly open?: (socket: Socket) => unknown
  /** Not awaited: the hook of the next message may begin before this one ends. */
  readonly message?: (socket: Socket, data: SocketData) => unknown
  /** Once for each socket that was open. */
  readonly close?: (
    socket: Socket,
    why: { readonly code: number; readonly reason: string },
  ) => unknown
  /** The connection failed, or its client broke the protocol or a limit; `close` follows. */
  readonly error?: (socket: Socket, error: Error) => unknown
}

/** What carries the frames of a socket. */
export type Transport = {
  send(data: SocketData): void
  /** Bytes that wait for the client to read them. */
  bufferedBytes(): number
  /** @throws for a code or a reason that no close frame can have */
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

/** For a client to take part in closing; then it is cut. */
const closeWithinMs = 2_000
const maxTopics = 100

/** Leads the events of a connection to the hooks, within limits. */
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
      if (isEnding) link.close(1001, 'the server ends')
    },
    received(data: SocketData): void {
      if (link.isClosing()) return
      if (mayCome()) void run(() => hooks.message?.(socket, data))
      else link.close(1008, 'too many messages')
    },
    /** A ping came, and was responded to. */
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
    /** The server ends: the client has to come again. */
    end(): void {
      isEnding = true
      link.close(1001, 'the server ends')
    },
  }
}

type Link = ReturnType<typeof createLink>

/** The transport of a socket, and how it ends. */
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
      // Those who came together do not come again together.
      const lastsMs = limits.maxAgeMs * (0.8 + Math.random() * 0.2)
      age = setTimeout(() => link.close(1001, 'come again'), lastsMs)
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
        throw new RangeError(`A socket can't have more than ${maxTopics} topics.`)
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

/** @returns false from the call on that is one too many of its second */
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
