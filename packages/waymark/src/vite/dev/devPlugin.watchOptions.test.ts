import { expect, test } from 'vitest'
import { watchOptions } from './devPlugin.ts'

test('nothing is watched if the app turns watching off', () => {
  expect(watchOptions(null, '/app/.waymark')).toBeNull()
})

test.each([
  ['/app/.waymark', true],
  ['/app/.waymark/journal/2026.jsonl', true],
  ['/app/.waymark-notes/page.tsx', false],
  ['/app/app/page.tsx', false],
])('%s is ignored: %s', (file, expected) => {
  const ignored = watchOptions(undefined, '/app/.waymark')?.ignored
  const [isIgnored] = ignored as [(file: string) => boolean]
  expect(isIgnored(file)).toBe(expected)
})
