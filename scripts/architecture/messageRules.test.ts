import { expect, test } from 'vitest'
import { messageViolations } from './messageRules.ts'
import { parseSource } from './source.ts'

const path = 'packages/waymark/src/cli/a.ts'
const check = (text: string, listed = {}, at = path) =>
  messageViolations([parseSource(at, text)], listed)

test.each([
  "error.message.includes('is already in use')",
  "error?.message?.startsWith('Port')",
  '/^Port (\\d+)/.exec(error.message)',
  "/^Port/.test(error instanceof Error ? error.message : '')",
  "pattern.test(message ?? '')",
  'pattern.test(String(thrown))',
  'pattern.exec(strip(message))',
  "child.stdout.includes('ready')",
  "message.replace('Error: ', '')",
  'console.error = (...args) => {}',
])('%s searches a message', (text) => {
  expect(check(text)).toHaveLength(1)
  expect(check(text, { [path]: 'why' })).toEqual([])
})

test.each([
  "error.code === 'EADDRINUSE'",
  'print(error.message)',
  '/^[a-z]+$/.test(name)',
  "message.replace(/\\.$/, '')",
  "message.split('\\n', 1)",
  "console.error('no')",
])('%s does not search a message', (text) => {
  expect(check(text)).toEqual([])
})

test('tests and other folders may search messages', () => {
  const text = "error.message.includes('no')"
  expect(check(text, {}, 'packages/waymark/src/cli/a.test.ts')).toEqual([])
  expect(check(text, {}, 'scripts/a.ts')).toEqual([])
})

test('an unused exception is reported', () => {
  expect(check('', { [path]: 'why' })).toEqual([
    `${path} searches no message. Remove it from the list.`,
  ])
})
