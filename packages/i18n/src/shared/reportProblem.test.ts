import { expect, test, vi } from 'vitest'
import { reportProblem } from './reportProblem.ts'

test('problems are reported once, in one line, and not without end', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  for (let n = 0; n < 2; n++) reportProblem(new Error('a\nb'))
  expect(warn.mock.calls).toEqual([['[i18n] a b']])
  for (let n = 0; n < 2_000; n++) reportProblem(new Error(`key ${n}`))
  expect(warn.mock.calls.length).toBeLessThan(1_000)
  warn.mockRestore()
})
