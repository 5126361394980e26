import { describe, expect, test } from 'vitest'
import type { LeaseLine } from './leaseFormat.ts'
import { createLeaseIndex } from './leaseIndex.ts'

const leaseMs = 100

const claimed = (owner: string, atMs = 0): LeaseLine => ({
  kind: 'claimed',
  name: 'n',
  owner,
  atMs,
})
const taken = (owner: string, from: string, atMs = 0): LeaseLine => ({
  kind: 'taken over',
  name: 'n',
  owner,
  from,
  atMs,
})
const released = (owner: string): LeaseLine => ({ kind: 'released', name: 'n', owner })
const done = (expireAtMs = 1_000): LeaseLine => ({
  kind: 'done',
  name: 'n',
  expireAtMs,
  result: '',
})
const lives = (self: string, atMs: number): LeaseLine => ({ kind: 'lives', self, batch: 1, atMs })

function indexOf(lines: readonly LeaseLine[], generationOf = (_at: number) => 1) {
  const index = createLeaseIndex(leaseMs)
  for (const [at, line] of lines.entries()) {
    index.apply(line, { generation: generationOf(at), offset: at, bytes: 1 })
  }
  return index
}

describe('a name', () => {
  test.each<[string, readonly LeaseLine[], unknown]>([
    ['belongs to nobody at first', [], null],
    ['belongs to the first who claims it', [claimed('p.1'), claimed('q.1')], { owner: 'p.1' }],
    [
      'that was released to the next',
      [claimed('p.1'), released('p.1'), claimed('q.1')],
      { owner: 'q.1' },
    ],
    ['is released by its owner only', [claimed('p.1'), released('q.1')], { owner: 'p.1' }],
    ['is taken over from its owner', [claimed('p.1'), taken('q.1', 'p.1')], { owner: 'q.1' }],
    [
      'is taken over by one of two',
      [claimed('p.1'), taken('q.1', 'p.1'), taken('r.1', 'p.1')],
      { owner: 'q.1' },
    ],
    ['that is done is not claimed', [claimed('p.1'), done(), claimed('q.1')], { kind: 'done' }],
    [
      'that is done is not taken over',
      [claimed('p.1'), done(), taken('q.1', 'p.1')],
      { kind: 'done' },
    ],
    [
      'whose result is over may be claimed',
      [claimed('p.1'), done(5), claimed('q.1', 5)],
      { owner: 'q.1' },
    ],
    [
      'has the result that came first',
      [claimed('p.1'), taken('q.1', 'p.1'), done(), done()],
      { place: { offset: 2 } },
    ],
    [
      'has a new result once the old one is over',
      [claimed('p.1'), done(5), claimed('q.1', 5), done()],
      { place: { offset: 3 } },
    ],
  ])('%s', (_, lines, expected) => {
    const found = indexOf(lines).find('n', 10)
    if (expected === null) expect(found).toBeNull()
    else expect(found).toMatchObject(expected as object)
  })
})

describe('an owner', () => {
  test.each<[string, readonly LeaseLine[], number, boolean]>([
    ['that has just claimed is there', [claimed('p.1', 50)], 150, false],
    ['that was heard of is there', [claimed('p.1', 0), lives('p', 80)], 180, false],
    ['that was not heard of is gone', [claimed('p.1', 0), lives('p', 80)], 181, true],
    ['is not there because another is', [claimed('p.1', 0), lives('q', 150)], 160, true],
    ['of before a clock was set back is gone', [claimed('p.1', 10_000)], 0, true],
  ])('%s', (_, lines, nowMs, isGone) => {
    expect(indexOf(lines).find('n', nowMs)).toMatchObject({ isGone })
  })
})

describe('a file', () => {
  test('is over once nothing in it will be asked for', () => {
    const index = indexOf([claimed('p.1'), done(50)])
    expect(index.isOver(1, 49)).toBe(false)
    expect(index.isOver(1, 50)).toBe(true)
    expect(indexOf([claimed('p.1')]).isOver(1, 5_000)).toBe(false)
    expect(index.isOver(2, 0)).toBe(true)
  })

  test('is forgotten with what is over of it, and nothing else', () => {
    const index = indexOf([claimed('p.1'), done(1_000)], (at) => at + 1)
    index.forget(1, 0)
    expect(index.find('n', 0)).toMatchObject({ kind: 'done' })
    // Its result is lost with the file; that there was one is not.
    index.forget(2, 999)
    expect(index.find('n', 999)).toMatchObject({ kind: 'done' })
    index.forget(2, 1_000)
    expect(index.find('n', 0)).toBeNull()
  })

  test('is forgotten with claims of whoever is gone', () => {
    const running = indexOf([claimed('p.1')])
    running.forget(1, leaseMs)
    expect(running.find('n', 0)).toMatchObject({ kind: 'running', owner: 'p.1' })
    running.forget(1, leaseMs + 1)
    expect(running.find('n', 0)).toBeNull()
  })
})
