import { afterEach, expect, test, vi } from 'vitest'
import { isHeartbeat, startHeartbeat } from './stream.ts'

afterEach(() => void vi.useRealTimers())

test('each second a row is written that is known for a heartbeat', () => {
  vi.useFakeTimers()
  const rows: string[] = []
  const stop = startHeartbeat((row) => rows.push(row))
  vi.advanceTimersByTime(3000)
  stop()
  vi.advanceTimersByTime(3000)
  expect(rows.length).toBe(3)
  const encoder = new TextEncoder()
  for (const text of [...rows, rows.join('')]) expect(isHeartbeat(encoder.encode(text))).toBe(true)
})

test.each(['', '1:"a"\n', '7fffffff:0\n1:"a"\n', '7fffffff:"0"\n', 'xxxxxxxxxx\n'])(
  'a chunk with anything else is none: %j',
  (text) => {
    expect(isHeartbeat(new TextEncoder().encode(text))).toBe(false)
  },
)
