import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createMemoryDriver } from '../../cache/memoryCacheDriver.ts'
import {
  type ActionOrder,
  type CallPosition,
  createActionOrder,
  parseCallPosition,
} from './order.ts'

const never = new AbortController().signal
const turn = (own: number, ...earlier: number[]): CallPosition => ({
  own: `document-${own}`,
  earlier: earlier.map((each) => `document-${each}`),
})

/** Calls an action that takes some time, and notes when it runs. */
function recorder() {
  const log: string[] = []
  const call = async (
    order: ActionOrder,
    name: string,
    { key = 'k', at = null as CallPosition | null, ms = 10, signal = never } = {},
  ) => {
    const arrival = order.arrive('a#b', at)
    try {
      return await arrival.inTurn(
        key,
        async () => {
          log.push(`${name} begins`)
          await sleep(ms)
          log.push(`${name} ends`)
          return name
        },
        signal,
      )
    } finally {
      arrival.leave()
    }
  }
  return { log, call }
}

const oneByOne = (...names: string[]) => names.flatMap((name) => [`${name} begins`, `${name} ends`])

describe('actions of one key', () => {
  test('run one after another, as they arrive', async () => {
    const { log, call } = recorder()
    const order = createActionOrder()
    const results = await Promise.all([call(order, 'one'), call(order, 'two', { ms: 1 })])
    expect(results).toEqual(['one', 'two'])
    expect(log).toEqual(oneByOne('one', 'two'))
  })

  test('do not wait for those of another key', async () => {
    const { log, call } = recorder()
    const order = createActionOrder()
    await Promise.all([call(order, 'one'), call(order, 'two', { key: 'other', ms: 1 })])
    expect(log).toEqual(['one begins', 'two begins', 'two ends', 'one ends'])
  })

  test('go on after one that fails', async () => {
    const { log, call } = recorder()
    const order = createActionOrder()
    const fails = order.arrive('a#b', null).inTurn('k', () => Promise.reject(new Error('x')), never)
    const next = call(order, 'next')
    await expect(fails).rejects.toThrow('x')
    expect(await next).toBe('next')
    expect(log).toEqual(oneByOne('next'))
  })

  test('run as their document made them, in whatever order they arrive', async () => {
    const { log, call } = recorder()
    const order = createActionOrder()
    const third = call(order, 'three', { at: turn(3, 1, 2) })
    const second = call(order, 'two', { at: turn(2, 1), key: 'other' })
    await sleep(20)
    expect(log).toEqual([])
    await Promise.all([call(order, 'one', { at: turn(1), ms: 40 }), second, third])
    expect(log).toEqual(['one begins', 'two begins', 'two ends', 'one ends', ...oneByOne('three')])
  })

  test('do not wait for an earlier one that was refused', async () => {
    const { log, call } = recorder()
    const order = createActionOrder()
    order.arrive('a#b', turn(1)).leave()
    await call(order, 'two', { at: turn(2, 1) })
    expect(log).toEqual(oneByOne('two'))
  })

  test('never begin once their time is over, and hold nobody up', async () => {
    const { log, call } = recorder()
    const order = createActionOrder()
    const late = new AbortController()
    const first = call(order, 'slow', { ms: 60, signal: AbortSignal.timeout(30) })
    const second = call(order, 'late', { signal: late.signal })
    const third = call(order, 'next', { ms: 1 })
    late.abort(new Error('late'))
    await expect(second).rejects.toThrow('late')
    await expect(first).rejects.toThrow()
    expect(await third).toBe('next')
    expect(log).not.toContain('late begins')
  })

  test('run one at a time over replicas that share a store', async () => {
    const { log, call } = recorder()
    const store = createMemoryDriver()
    const replicas = [createActionOrder(), createActionOrder()]
    for (const replica of replicas) replica.attach(store)
    const names = ['one', 'two', 'three', 'four']
    await Promise.all(
      names.map((name, at) => call(replicas[at % 2] as ActionOrder, name, { ms: 5 })),
    )
    const begun = log.filter((line) => line.endsWith('begins'))
    expect(log).toEqual(oneByOne(...begun.map((line) => line.split(' ')[0] as string)))
    expect(begun).toHaveLength(4)
  })
})

test.each([
  ['abcdefgh', { own: 'abcdefgh', earlier: [] }],
  ['abcdefgh ijklmnop', { own: 'abcdefgh', earlier: ['ijklmnop'] }],
  [null, null],
  ['', null],
  ['short', null],
  ['abcdefgh  ijklmnop', null],
  ['abcdefgh'.repeat(10), null],
  [Array(30).fill('abcdefgh').join(' '), null],
])('the turn %s', (text, parsed) => {
  expect(parseCallPosition(text)).toEqual(parsed)
})
