import { expect, test } from 'vitest'
import { withKnownDirectives } from './directivePlugin.ts'

test("'use cache: remote' is 'use cache', and nothing moves", () => {
  const code = "async function a() {\n  'use cache: remote'; return 'use cache: remote'\n}"
  expect(withKnownDirectives('a.ts', code)).toBe(
    "async function a() {\n  'use cache'        ; return 'use cache: remote'\n}",
  )
})

test("'use cache: private' is refused with its line", () => {
  const code = "export async function a() {\n  'use cache: private'\n  return 1\n}"
  expect(() => withKnownDirectives('lib/a.ts', code)).toThrow(
    /^lib\/a\.ts:2: 'use cache: private' is not there: .* write 'use cache'\.$/,
  )
})
