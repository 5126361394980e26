import { expect, test } from 'vitest'
import { createClockQueue } from './memoryCacheDriver.ts'

test('the first that was not read goes first', () => {
  const queue = createClockQueue<string>()
  const [a, b] = ['a', 'b', 'c'].map((value) => queue.add(value))
  if (a) a.wasRead = true
  expect(queue.nextToGo()).toBe(b)
})

test('what was read is passed over once, and stands at the end then', () => {
  const queue = createClockQueue<string>()
  const all = ['a', 'b', 'c'].map((value) => queue.add(value))
  for (const queued of all) queued.wasRead = true
  const went: string[] = []
  for (let next = queue.nextToGo(); next; next = queue.nextToGo()) {
    went.push(next.value)
    queue.remove(next)
  }
  expect(went).toEqual(['a', 'b', 'c'])
})

test('an empty queue has nobody to go', () => {
  const queue = createClockQueue<string>()
  queue.remove(queue.add('a'))
  expect(queue.nextToGo()).toBeNull()
})
