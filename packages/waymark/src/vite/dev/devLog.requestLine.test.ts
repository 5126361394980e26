import { expect, test } from 'vitest'
import type { FinishedRequest } from '../../node/observeRequests.ts'
import { requestLine } from './devLog.ts'

const finished: FinishedRequest = {
  method: 'GET',
  route: '/items',
  status: 200,
  durationMs: 34.4,
  phases: { match: 0.1, render: 21.4, html: 7.6 },
  bytes: 10,
  digest: null,
  trace: null,
  cache: null,
  isCut: false,
}

test('a line contains the request, its status, and the duration of its steps', () => {
  expect(requestLine('/items?q=1', finished)).toBe(
    'GET /items?q=… 200 in 34 ms (render 21, html 8)',
  )
})

test('a step of less than half a millisecond is left out', () => {
  expect(requestLine('/', { ...finished, status: 404, phases: { match: 0.2 } })).toBe(
    'GET / 404 in 34 ms',
  )
})

test('a request for which no route was matched has no line', () => {
  expect(requestLine('/a.css', { ...finished, phases: {} })).toBeNull()
})

test('a target is shortened, and its control characters are removed', () => {
  const line = requestLine(`/\u009b2J\u001b[31m${'a'.repeat(9000)}`, finished)
  expect(line).toMatch(/^GET \/\.2J\.\[31ma+ 200 in/)
  expect(line?.length).toBeLessThan(300)
})
