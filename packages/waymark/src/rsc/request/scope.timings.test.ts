import { expect, it } from 'vitest'
import { createTimings } from '../../wire/trace.ts'

it('adds up steps with the same name, and gives the total', () => {
  let nowMs = 100
  const timings = createTimings(() => nowMs)
  for (const ms of [10, 5.25]) {
    const end = timings.start('render')
    nowMs += ms
    end()
  }
  timings.start('html')
  expect(timings.header()).toBe('render;dur=15.3, total;dur=15.3')
})
