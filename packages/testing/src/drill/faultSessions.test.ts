import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createFaultMiddleware, createFaultSessions, readFaults } from './faultSessions.ts'

const request = (target: string, cookie?: string, headers: object = {}) =>
  ({
    method: 'GET',
    url: target,
    headers: { ...(cookie && { cookie }), ...headers },
  }) as IncomingMessage
const cookieOf = (line: string | null) => line?.split(';')[0] ?? ''
const data = '/_waymark/data/a.rsc'
const hangs = [{ target: 'data', kind: 'hang', isOnce: false }] as const

test('a fault affects its kind of request, and only in the browser that switched it on', () => {
  const sessions = createFaultSessions()
  const cookie = cookieOf(sessions.set(request('/'), hangs).cookie)
  expect(sessions.take(request(data), data)).toBeNull()
  expect(sessions.take(request('/a', cookie, { 'sec-fetch-dest': 'document' }), '/a')).toBeNull()
  expect(sessions.take(request(data, `a=b; ${cookie}; c=d`), data)?.fault).toEqual({ kind: 'hang' })
  expect(sessions.read(request('/', cookie)).state.faults).toEqual([{ ...hangs[0], hits: 1 }])
})

test('a fault of documents affects page loads, and a fault with isOnce ends after one of them', () => {
  const sessions = createFaultSessions()
  const faults = [{ target: 'document', kind: 'reset', isOnce: true }] as const
  const cookie = cookieOf(sessions.set(request('/'), faults).cookie)
  const opened = request('/a?b=c', cookie, { 'sec-fetch-dest': 'document' })
  expect(sessions.take(request('/a', cookie), '/a')).toBeNull()
  expect(sessions.take(opened, '/a?b=c')?.fault).toEqual({ kind: 'reset' })
  expect(sessions.take(opened, '/a?b=c')).toBeNull()
})

test('faults end if the panel stops reporting or after ten minutes, and abort the requests that they hold', () => {
  let nowMs = 0
  const sessions = createFaultSessions(() => nowMs)
  const cookie = cookieOf(sessions.set(request('/'), hangs).cookie)
  const hit = sessions.take(request(data, cookie), data)
  for (nowMs = 0; nowMs < 600_000; nowMs += 30_000) {
    expect(sessions.read(request('/', cookie)).state.faults).toHaveLength(1)
  }
  expect(hit?.signal.aborted).toBe(false)
  expect(sessions.read(request('/', cookie)).state).toEqual({ faults: [], leftMs: 0 })
  expect(hit?.signal.aborted).toBe(true)
  const silent = cookieOf(sessions.set(request('/'), hangs).cookie)
  nowMs += 41_000
  expect(sessions.take(request(data, silent), data)).toBeNull()
})

test('the app never gets the cookie', () => {
  const sessions = createFaultSessions()
  const cookie = cookieOf(sessions.set(request('/'), hangs).cookie)
  const handle = createFaultMiddleware(sessions, {
    origin: () => 'http://localhost:1',
    basePath: '/docs',
  })
  const passed: unknown[] = []
  for (const cookies of [cookie, `a=b; ${cookie}`, `${cookie}; c=d`]) {
    const req = request('/', cookies)
    handle(req, {} as ServerResponse, () => passed.push(req.headers.cookie))
  }
  expect(passed).toEqual([undefined, 'a=b', 'c=d'])
})

test.each([
  null,
  {},
  [1],
  [{ target: 'data' }],
  [{ target: 'x', kind: 'hang' }],
  Array(6).fill(hangs[0]),
])('%j is not a valid list of faults', (value) => expect(readFaults(value)).toBeNull())
