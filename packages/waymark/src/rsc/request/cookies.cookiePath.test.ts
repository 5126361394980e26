import { expect, test } from 'vitest'
import { warnOfCookiePath } from './cookies.ts'

// Use cookie names that no other test uses, because test files share a process.
test('a path other than the root causes one warning for each cookie', () => {
  const lines: string[] = []
  const warn = (line: string) => void lines.push(line)
  for (const path of [undefined, '/', '/account', '/account'])
    warnOfCookiePath('pathed', path, warn)
  warnOfCookiePath('pathed-too', '/other', warn)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('The cookie pathed is set for the path /account.')
})
