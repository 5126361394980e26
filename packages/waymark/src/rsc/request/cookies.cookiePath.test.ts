import { expect, test } from 'vitest'
import { warnOfCookiePath } from './cookies.ts'

test('a path other than the root is told of, once for each cookie', () => {
  const lines: string[] = []
  const warn = (line: string) => void lines.push(line)
  for (const path of [undefined, '/', '/account', '/account']) warnOfCookiePath('narrow', path, warn)
  warnOfCookiePath('unread', '/other', warn)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('The cookie narrow is set for /account only')
})
