import { describe, expect, test } from 'vitest'
import { parseSource } from './source.ts'
import { waitViolations } from './waitRules.ts'

const check = (text: string, path = 'packages/waymark/src/rsc/a.ts', others: string[] = []) => {
  const rest = others.map((other) => parseSource('packages/waymark/src/rsc/b.ts', other))
  return waitViolations([parseSource(path, text), ...rest], {})
}

describe('a wait within a request', () => {
  test.each([
    ['a promise', 'async function f() { await given }', 'given'],
    ['a method', 'async function f() { await store.get(key) }', 'store.get(key)'],
    ['a stream', 'async function f() { for await (const x of body) use(x) }', 'body'],
    [
      'a function of another module',
      "import { g } from 'x'\nexport const h = async () => await g()",
      'g()',
    ],
    ['a function of ours that returns a promise', 'function g() { return p }\nawait g()', 'g()'],
    ['a timer among other promises', 'await Promise.race([a, b])', 'Promise.race([a, b])'],
    [
      'a method with the name of a function',
      'async function get() {}\nawait store.get()',
      'store.get()',
    ],
  ])('is found for %s', (_, text, operand) => {
    expect(check(text)).toEqual([expect.stringContaining(`ends the wait for ${operand}?`)])
  })

  test.each([
    'async function g() {}\nawait g()',
    'async function g() {}\nawait (g())!',
    'await withDeadline(store.get(key), 500)',
    'await new Promise(setImmediate)',
    'await new Promise((resolve) => setTimeout(resolve, pauseMs))',
    'for (const each of all) use(each)',
  ])('is accepted in %s', (text) => {
    expect(check(text)).toEqual([])
  })

  test('may be a call of an async function that another file exports', () => {
    const wait = "import { g } from './b.ts'\nawait g()"
    const imported = 'export async function g() {}'
    expect(check(wait, undefined, [imported])).toEqual([])
    expect(check(wait, undefined, ['export function g() {}'])).toHaveLength(1)
  })

  test.each(['rsc/a.test.ts', 'rsc/prerender/a.ts', 'cli/a.ts', 'client/a.ts'])(
    'is not reported in %s',
    (file) => {
      expect(check('await given', `packages/waymark/src/${file}`)).toEqual([])
    },
  )
})

describe('the list of what ends waits', () => {
  const source = parseSource('packages/waymark/src/rsc/a.ts', 'await given')

  test('accepts the waits that it names', () => {
    expect(waitViolations([source], { 'a deadline': { 'rsc/a.ts': ['given'] } })).toEqual([])
  })

  test('names no wait that is gone', () => {
    const listed = { 'a deadline': { 'rsc/a.ts': ['given', 'other'] } }
    expect(waitViolations([source], listed)).toEqual([
      'packages/waymark/src/rsc/a.ts other does not wait any more. Remove it from the list.',
    ])
  })
})
