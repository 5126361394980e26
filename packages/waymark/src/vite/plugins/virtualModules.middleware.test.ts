import { expect, test } from 'vitest'
import { refuseMiddleware } from './virtualModules.ts'

test.each(['middleware.ts', 'middleware.js', 'middleware.mts'])('%s is refused', (name) => {
  expect(() => refuseMiddleware(new Set(['app', name]))).toThrow(/middleware\..*proxy\.ts/)
})

test("beside a proxy.ts, it's allowed, because proxy.ts may import it", () => {
  expect(() => refuseMiddleware(new Set(['middleware.ts', 'proxy.ts']))).not.toThrow()
  expect(() => refuseMiddleware(new Set(['middleware.ts']), new Set(['proxy.ts']))).not.toThrow()
})

test('no other file is refused', () => {
  expect(() => refuseMiddleware(new Set(['proxy.ts', 'middleware', 'middleware.md']))).not.toThrow()
})
