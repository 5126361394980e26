import { describe, expect, test } from 'vitest'
import { frameLines, parseFrame, stackLimits } from './thrownText.ts'

describe('the frames of a stack', () => {
  test('follow the message in V8', () => {
    expect(frameLines('Error: a\nat home\n    at a (b.js:1:2)\n    at c.js:3:4')).toEqual([
      'at home',
      'at a (b.js:1:2)',
      'at c.js:3:4',
    ])
  })

  test('are the whole stack in Firefox and Safari', () => {
    expect(
      frameLines('a@http://x/a.js:1:2\n@http://x/b.js:3:4\nglobal code@http://x/b.js:5:6'),
    ).toHaveLength(3)
  })

  test('are found after a message of any length', () => {
    const stack = `Error: ${'x\n'.repeat(5_000_000)}    at a (b.js:1:2)`
    expect(frameLines(stack)).toEqual(['at a (b.js:1:2)'])
  })

  test('are limited in number and length', () => {
    const frame = `\n    at ${'a'.repeat(2_000)} (b.js:1:2)`
    const lines = frameLines(`Error${frame.repeat(1_000)}`)
    expect(lines.length).toBeLessThanOrEqual(stackLimits.lines)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(
      stackLimits.lineLength,
    )
  })

  test('do not exist in other text', () => {
    expect(frameLines('')).toEqual([])
    expect(frameLines('a\nb')).toEqual([])
  })
})

describe('a frame', () => {
  test.each([
    ['at a (/x/b.js:1:2)', 'a', '/x/b.js', 1, 2],
    ['at Object.a [as b] (/x/b.js:1:2)', 'Object.a [as b]', '/x/b.js', 1, 2],
    ['at async Page (file:///x/b.js:10:20)', 'async Page', 'file:///x/b.js', 10, 20],
    ['at new A (/x (1)/b.js:1:2)', 'new A', '/x (1)/b.js', 1, 2],
    ['at /x (1)/b.js:1:2', null, '/x (1)/b.js', 1, 2],
    ['at /x y/b.js:1:2', null, '/x y/b.js', 1, 2],
    ['at a (/x@y/b.js:1:2)', 'a', '/x@y/b.js', 1, 2],
    ['at https://x.test:80/b.js:1:2', null, 'https://x.test:80/b.js', 1, 2],
    ['at async Promise.all (index 0)', null, null, 0, 0],
    ['at <anonymous>', null, null, 0, 0],
    ['a@http://x.test/b.js:1:2', 'a', 'http://x.test/b.js', 1, 2],
    ['@http://x.test/b.js:1:2', null, 'http://x.test/b.js', 1, 2],
  ])('%s is parsed', (text, functionName, file, line, column) => {
    expect(parseFrame(text)).toEqual({ text, functionName, file, line, column })
  })
})
