import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createSocketConnection,
  type Socket,
  type SocketData,
  type SocketHooks,
} from './socketConnection.ts'
import { readLimits } from './socketLimits.ts'
import { createTopics } from './topics.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const topics = createTopics<SocketData>()

/** Opens a connection whose client the test controls. */
function connect(hooks: SocketHooks = {}, limits: Parameters<typeof readLimits>[0] = {}) {
  const sent: SocketData[] = []
  const reported: unknown[] = []
  const ends: (number | 'cut')[] = []
  const client = { bufferedBytes: 0 }
  let socket: Socket | undefined
  const connection = createSocketConnection({
    hooks: {
      ...hooks,
      open: (opened) => {
        socket = opened
        return hooks.open?.(opened)
      },
    },
    limits: readLimits(limits),
    topics,
    report: (thrown) => reported.push(thrown),
  })
  connection.opened({
    send: (data) => sent.push(data),
    bufferedBytes: () => client.bufferedBytes,
    close: (code) => {
      if (code === 1005) throw new TypeError('no such code')
      ends.push(code)
    },
    terminate: () => ends.push('cut'),
  })
  if (!socket) throw new Error('The hook was not called.')
  return { connection, socket, sent, reported, ends, client }
}

describe('an error of a hook', () => {
  const secret = new Error('a secret')
  const hooks = {
    thrown: (): unknown => {
      throw secret
    },
    rejected: async (): Promise<never> => {
      throw secret
    },
  }

  test.each(Object.entries(hooks))('is reported and closes the socket: %s', async (_, message) => {
    const { connection, reported, ends, sent } = connect({ message })
    connection.received('one')
    await vi.advanceTimersByTimeAsync(0)
    expect(reported).toEqual([secret])
    expect(ends).toEqual([1011])
    expect(sent).toEqual([])
    connection.received('two')
    await vi.advanceTimersByTimeAsync(0)
    expect(reported).toEqual([secret])
  })

  test('is only reported if the socket has closed', async () => {
    const { connection, reported, ends } = connect({ close: hooks.thrown })
    connection.closed(1000, '')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(reported).toEqual([secret])
    expect(ends).toEqual([])
  })

  test('includes a close code that is not allowed', async () => {
    const { connection, reported, ends } = connect({ message: (socket) => socket.close(1005) })
    connection.received('one')
    await vi.advanceTimersByTimeAsync(0)
    expect(reported).toEqual([new TypeError('no such code')])
    expect(ends).toEqual([1011])
  })
})

describe('limits', () => {
  test('messages and pings share the limit per second', () => {
    const { connection, ends } = connect({}, { messagesPerSecond: 3 })
    for (const _ of [1, 2]) connection.received('again')
    connection.pinged()
    expect(ends).toEqual([])
    connection.pinged()
    expect(ends).toEqual([1008])
  })

  test('each second has its own limit', () => {
    vi.setSystemTime(10_000)
    const message = vi.fn()
    const { connection, ends } = connect({ message }, { messagesPerSecond: 2 })
    for (const _ of [1, 2]) connection.received('again')
    vi.setSystemTime(11_000)
    for (const _ of [1, 2]) connection.received('again')
    expect(ends).toEqual([])
    connection.received('again')
    expect(ends).toEqual([1008])
    expect(message).toHaveBeenCalledTimes(4)
  })

  test('a slow reader is cut off at the next message and gets nothing more', () => {
    const { socket, sent, ends, client } = connect({}, { maxBufferedBytes: 100 })
    client.bufferedBytes = 100
    socket.send('one')
    expect(ends).toEqual([])
    client.bufferedBytes = 101
    socket.send('two')
    expect(ends).toEqual(['cut'])
    socket.send('three')
    expect(sent).toEqual(['one', 'two'])
  })

  test('unread pongs cut the connection, even while it is closing', () => {
    const { connection, socket, ends, client } = connect({}, { maxBufferedBytes: 100 })
    socket.close()
    client.bufferedBytes = 101
    connection.pinged()
    expect(ends).toEqual([1000, 'cut'])
  })

  test('a client that takes no part in closing is cut off', () => {
    const { socket, ends } = connect()
    socket.close(4_000)
    vi.advanceTimersByTime(1_999)
    expect(ends).toEqual([4_000])
    vi.advanceTimersByTime(1)
    expect(ends).toEqual([4_000, 'cut'])
  })

  test('a client that takes part in closing is not cut off', () => {
    const { connection, socket, ends } = connect()
    socket.close()
    connection.closed(1000, '')
    vi.advanceTimersByTime(5_000)
    expect(ends).toEqual([1000])
  })

  test('a broken connection is cut', () => {
    const error = vi.fn()
    const { connection, socket, ends } = connect({ error })
    connection.failed(new Error('no frame'))
    expect(error).toHaveBeenCalledWith(socket, new Error('no frame'))
    vi.advanceTimersByTime(2_000)
    expect(ends).toEqual(['cut'])
  })

  test('an old socket is closed, so that its client has to be admitted again', () => {
    const { ends } = connect({}, { maxAgeMs: 10_000 })
    vi.advanceTimersByTime(7_999)
    expect(ends).toEqual([])
    vi.advanceTimersByTime(2_001)
    expect(ends).toEqual([1001])
  })

  test('must be whole numbers above 0', () => {
    for (const value of [0, -1, 1.5, Number.POSITIVE_INFINITY, Number.NaN, 2 ** 31]) {
      expect(() => readLimits({ maxAgeMs: value })).toThrow(RangeError)
    }
    expect(() => readLimits({ maxAge: 1 } as object)).toThrow('invalid limit maxAge')
    expect(readLimits({ maxAgeMs: 5 })).toMatchObject({ maxAgeMs: 5, maxMessageBytes: 65_536 })
  })
})

describe('topics', () => {
  test('reach all subscribers except the publisher', () => {
    const one = connect()
    const two = connect()
    const three = connect()
    for (const { socket } of [one, two]) socket.subscribe('room')
    one.socket.publish('room', 'hello')
    expect([one.sent, two.sent, three.sent]).toEqual([[], ['hello'], []])
    topics.publish('room', 'to all')
    expect([one.sent, two.sent, three.sent]).toEqual([['to all'], ['hello', 'to all'], []])
    one.socket.unsubscribe('room')
    topics.publish('room', 'again')
    expect(one.sent).toEqual(['to all'])
    two.connection.closed(1000, '')
    expect(topics.size()).toBe(0)
  })

  test('lose a subscriber that is cut off during a message to all', () => {
    const sockets = [connect(), connect(), connect()]
    for (const { socket } of sockets) socket.subscribe('room')
    const [, slow] = sockets
    if (slow) slow.client.bufferedBytes = 2_000_000
    topics.publish('room', 'one')
    topics.publish('room', 'two')
    expect(sockets.map(({ sent }) => sent.length)).toEqual([2, 1, 2])
    for (const { connection } of sockets) connection.closed(1000, '')
    expect(topics.size()).toBe(0)
  })

  test('are limited to 100 per socket, even if the client chooses them', async () => {
    const { connection, reported, ends } = connect(
      { message: (socket, topic) => socket.subscribe(String(topic)) },
      { messagesPerSecond: 1_000 },
    )
    for (let count = 0; count < 100; count++) connection.received(`topic ${count}`)
    connection.received('topic 0')
    expect(topics.size()).toBe(100)
    connection.received('one more')
    await vi.advanceTimersByTimeAsync(0)
    expect(reported).toHaveLength(1)
    expect(ends).toEqual([1011])
    expect(topics.size()).toBe(0)
  })

  test('cannot be joined by a socket that is closing', () => {
    const { socket } = connect()
    socket.close()
    socket.subscribe('room')
    expect(topics.size()).toBe(0)
  })
})

describe('a server that shuts down', () => {
  test('closes its sockets', () => {
    const { connection, ends } = connect()
    connection.end()
    expect(ends).toEqual([1001])
  })

  test('closes those that open afterwards', async () => {
    const close = vi.fn()
    const open = vi.fn()
    const connection = createSocketConnection({
      hooks: { open },
      limits: readLimits(),
      topics,
      report: () => {},
    })
    connection.end()
    connection.opened({ send() {}, bufferedBytes: () => 0, close, terminate() {} })
    expect(open).toHaveBeenCalledOnce()
    expect(close.mock.calls.map(([code]) => code)).toEqual([1001])
  })
})
