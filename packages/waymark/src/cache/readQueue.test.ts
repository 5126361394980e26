import { expect, test } from 'vitest'
import { createReadQueue } from './readQueue.ts'

test('the first that was not read goes first', () => {
  const queue = createReadQueue<string>()
  const [a, b] = ['a', 'b', 'c'].map((value) => queue.add(value))
  if (a) a.wasRead = true
  expect(queue.nextToGo()).toBe(b)
})

test('what was read is passed over once, and stands at the end then', () => {
  const queue = createReadQueue<string>()
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
  const queue = createReadQueue<string>()
  queue.remove(queue.add('a'))
  expect(queue.nextToGo()).toBeNull()
})
