import { describe, expect, test } from 'vitest'
import { createPauseWatch } from './pauseWatch.ts'

describe('a pause of the process', () => {
  test.each([
    [2_001, true],
    [2_000, false],
    [-60_000, true],
  ])('of %i ms is noticed: %j', (pauseMs, isBehind) => {
    let nowMs = 1_000_000
    const pauses = createPauseWatch(2_000, () => nowMs)
    expect(pauses.look()).toBe(false)
    nowMs += pauseMs
    expect([pauses.look(), pauses.look()]).toEqual([isBehind, isBehind])
    pauses.caughtUp(pauses.latest())
    expect(pauses.look()).toBe(false)
  })

  test('is not over because of a read that began before it', () => {
    let nowMs = 0
    const pauses = createPauseWatch(2_000, () => nowMs)
    nowMs += 3_000
    pauses.look()
    const first = pauses.latest()
    nowMs += 3_000
    expect(pauses.look()).toBe(true)
    pauses.caughtUp(first)
    expect(pauses.look()).toBe(true)
  })
})
