import { win32 } from 'node:path'
import { describe, expect, test } from 'vitest'
import { frameworkError } from '../../shared/errors.ts'
import { firstPlaceIn } from './explainError.ts'
import { describeFailure } from './failures.ts'
import { syntaxPlugin } from './moduleErrors.ts'

const report = (thrown: unknown) => describeFailure(thrown, '/app-root')

describe('the position of a failure', () => {
  test.each([
    ['at Page (/root/app/page.tsx:2:9)', { file: '/root/app/page.tsx', line: 2, column: 9 }],
    ['at file:///root/a.ts:1:2', { file: '/root/a.ts', line: 1, column: 2 }],
    ['at async /root/a b.ts?t=1:3:4', null],
    ['at f (/root/a.ts?t=1:3:4)', { file: '/root/a.ts', line: 3, column: 4 }],
    ['at f (/root/node_modules/x/i.js:1:1)', null],
    ['at f (/rootless/a.ts:1:1)', null],
    ['at f (node:fs:1:1)', null],
  ])('%s', (line, place) => {
    expect(firstPlaceIn(`Error: x\n    ${line}`, '/root')).toEqual(place)
  })

  test.each(['at Page (file:///C:/root/app/a.tsx?t=1:2:9)', 'at Page (C:\\root\\app\\a.tsx:2:9)'])(
    'on Windows: %s',
    (line) => {
      const place = { file: 'C:\\root\\app\\a.tsx', line: 2, column: 9 }
      expect(firstPlaceIn(`Error: x\n    ${line}`, 'C:/root', win32)).toEqual(place)
      const inPackage = line.replace('app', 'node_modules')
      expect(firstPlaceIn(`Error: x\n    ${inPackage}`, 'C:/root', win32)).toBeNull()
    },
  )

  test('is the first one in the project', () => {
    const stack =
      'Error\n at a (/root/node_modules/a.js:1:1)\n at b (/root/b.ts:2:2)\n at c (/root/c.ts:3:3)'
    expect(firstPlaceIn(stack, '/root')?.file).toBe('/root/b.ts')
  })
})

describe('a failure', () => {
  test("in the author's code has a complete message", () => {
    const error = frameworkError('NO_ROUTES', { folder: 'app' })
    expect(report(error)).toMatchObject({ message: error.message })
    expect(report(error).stack).not.toMatch(/failures\.ts|errors\.ts/)
  })

  test('located by a plugin keeps its position, without colours', () => {
    const error = Object.assign(new Error('\x1b[31mbad\x1b[39m'), {
      id: '/app-root/a.css',
      plugin: 'css',
      frame: '\x1b[1m1 | {\x1b[0m',
      loc: { line: 1, column: 2 },
    })
    expect(report(error)).toMatchObject({
      message: 'bad',
      id: '/app-root/a.css',
      frame: '1 | {',
      loc: { line: 1, column: 2 },
    })
  })

  test("of syntax keeps the bundler's lines, which mark more than a position", () => {
    const loc = { file: '/app-root/a.tsx', line: 1, column: 2 }
    const error = Object.assign(new Error('Expected `)`'), {
      id: loc.file,
      loc,
      plugin: syntaxPlugin,
      frame: '1 │ (',
    })
    expect(report(error)).toMatchObject({ message: 'Expected `)`', frame: '1 │ (', loc })
  })

  test('may be any thrown value', () => {
    expect(report('text')).toEqual({ message: 'text', stack: '' })
    expect(report(new Error('plain')).message).toBe('plain')
  })
})

test("a call of an import is written as in the author's code", () => {
  const message = '(0 , __vite_ssr_import_1__.items)(...).get is not a function'
  expect(report(new Error(message)).message).toBe('items(...).get is not a function')
})
