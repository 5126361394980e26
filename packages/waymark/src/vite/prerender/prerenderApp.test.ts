import { expect, test } from 'vitest'
import { describeSlow, findOverdue } from './prerenderApp.ts'

const running = new Map([
  ['/slow', { file: 'slow/page.tsx', sinceMs: 0 }],
  ['/new', { file: 'new/page.tsx', sinceMs: 58_000 }],
])

function watched(nowMs: number, messageAtMs: number) {
  return { running, messageAtMs, timeoutMs: 60_000, nowMs }
}

test("a page within its time limit isn't reported", () => {
  expect(findOverdue(watched(59_000, 58_000))).toBe(null)
})

test('a page that waits too long is reported', () => {
  expect(findOverdue(watched(60_000, 58_000))?.message).toMatch(
    /^Prerendering \/slow \(slow\/page\.tsx\) took longer than 60 s\./,
  )
})

test('if the process is blocked, all its running pages are reported', () => {
  expect(findOverdue(watched(90_000, 58_000))?.message).toMatch(
    /^Prerendering \/slow \(slow\/page\.tsx\) or \/new \(new\/page\.tsx\) took longer/,
  )
})

test('a slow page is shown as progress', () => {
  expect(describeSlow(watched(4_000, 0))).toBe(null)
  expect(describeSlow(watched(12_300, 0))).toBe('waiting for /slow (12 s)')
})
