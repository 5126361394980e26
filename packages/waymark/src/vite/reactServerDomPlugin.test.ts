import { expect, test } from 'vitest'
import { isSafe } from './reactServerDomPlugin.ts'

test.each([
  ['19.3.1', true],
  ['19.3.10', true],
  ['19.4.0', true],
  ['20.0.0', true],
  ['19.3.0', false],
  ['19.2.8', false],
  ['18.9.9', false],
  ['19.3.1-canary-1a2b-20261001', false],
  ['0.0.0-experimental', false],
])('%s is safe: %s', (version, expected) => {
  expect(isSafe(version)).toBe(expected)
})
