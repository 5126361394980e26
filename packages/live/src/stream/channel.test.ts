import { expect, test } from 'vitest'
import type { StreamEvent } from '../shared/streamEvents.ts'
import { type Channel, createChannel } from './channel.ts'

function follow(channel: Channel<number>, since?: string | null) {
  const ending = new AbortController()
  const events = channel.subscribe({ since, signal: ending.signal })[Symbol.asyncIterator]()
  const next = async () => (await events.next()).value as StreamEvent | undefined
  return { next, end: () => ending.abort() }
}

test('subscribers get everything that is published from then on', async () => {
  const channel = createChannel<number>()
  channel.publish(1)
  const first = follow(channel)
  const second = follow(channel)
  const waiting = [first.next(), second.next()]
  const id = channel.publish(2, 'added')
  expect(await Promise.all(waiting)).toEqual(Array(2).fill({ id, event: 'added', data: 2 }))
})

test('a subscription begins when it is created, not when it is read', async () => {
  const channel = createChannel<number>()
  const { next } = follow(channel)
  channel.publish(1)
  expect((await next())?.data).toBe(1)
})

test('a client that reconnects gets each missed event once', async () => {
  const channel = createChannel<number>({ keep: 5 })
  const ids = [1, 2, 3, 4, 5, 6].map((number) => channel.publish(number))
  const { next } = follow(channel, ids[2])
  expect([(await next())?.data, (await next())?.data, (await next())?.data]).toEqual([4, 5, 6])
  const last = next()
  channel.publish(7)
  expect((await last)?.data).toBe(7)
})

test('a position can be resumed if the first event after it is still held', async () => {
  const channel = createChannel<number>({ keep: 2 })
  const ids = [1, 2, 3, 4].map((number) => channel.publish(number))
  expect((await follow(channel, ids[1]).next())?.data).toBe(3)
  expect((await follow(channel, ids[0]).next())?.event).toBe('reset')
})

test('after a reset, events continue from the position that it names', async () => {
  const channel = createChannel<number>({ keep: 1 })
  const [first] = [1, 2, 3].map((number) => channel.publish(number))
  const { next } = follow(channel, first)
  expect(await next()).toEqual({ id: channel.position(), event: 'reset', data: null })
  channel.publish(4)
  expect((await next())?.data).toBe(4)
})

test('a subscriber that reads too slowly gets a reset instead of a growing queue', async () => {
  const channel = createChannel<number>({ keep: 3 })
  const { next } = follow(channel)
  for (let number = 1; number <= 10; number++) channel.publish(number)
  expect((await next())?.event).toBe('reset')
})

test('an unknown position counts as too old', async () => {
  const channel = createChannel<number>()
  channel.publish(1)
  const [run = ''] = channel.position().split('-')
  const forged = ['', '1', 'x-1', `${run}-2`, `${run}--1`, `${run}-0.5`, `${run}-01`, `${run}-NaN`]
  for (const since of forged) {
    expect((await follow(channel, since).next())?.event, since).toBe('reset')
  }
})

test('positions from before a restart count as too old', async () => {
  const before = createChannel<number>()
  const after = createChannel<number>()
  const id = before.publish(1)
  after.publish(1)
  expect((await follow(after, id).next())?.event).toBe('reset')
})

test('the signal ends a waiting subscription', async () => {
  const { next, end } = follow(createChannel<number>())
  const waiting = next()
  end()
  expect(await waiting).toBeUndefined()
})
