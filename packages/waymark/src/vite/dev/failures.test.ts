import { describe, expect, test } from 'vitest'
import { frameworkError } from '../../shared/errors.ts'
import { explainUnresolved, firstPlaceIn } from './explainError.ts'
import { describeFailure } from './failures.ts'

const report = (thrown: unknown) => describeFailure(thrown, '/app-root')

describe('the place of a failure', () => {
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

  test('is the first of the project', () => {
    const stack =
      'Error\n at a (/root/node_modules/a.js:1:1)\n at b (/root/b.ts:2:2)\n at c (/root/c.ts:3:3)'
    expect(firstPlaceIn(stack, '/root')?.file).toBe('/root/b.ts')
  })
})

describe('a failure', () => {
  test('of the author’s has a message that says all', () => {
    const error = frameworkError('NO_ROUTES', { folder: 'app' })
    expect(report(error)).toMatchObject({ message: error.message })
    expect(report(error).stack).not.toMatch(/failures\.ts|errors\.ts/)
  })

  test('that a plugin has located keeps its place, without colours', () => {
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

  test('may be anything', () => {
    expect(report('text')).toEqual({ message: 'text', stack: '' })
    expect(report(new Error('plain')).message).toBe('plain')
  })
})

describe('what is said of', () => {
  test.each([
    [
      "Cannot find module 'next' imported from 'app/page.tsx'",
      /^app\/page\.tsx imports next, which is another framework's\. Use .*Link from 'waymark'/,
    ],
    ["Cannot find module 'next-auth' imported from 'app/page.tsx'", /Run npm install next-auth/],
  ])('%s', (message, said) => {
    expect(report(new Error(message)).message).toMatch(said)
  })
})

test('a call of an import is named as its author wrote it', () => {
  const message = '(0 , __vite_ssr_import_1__.items)(...).get is not a function'
  expect(report(new Error(message)).message).toBe('items(...).get is not a function')
})

describe('an import that leads nowhere, in a build', () => {
  const said = (source: string) => {
    const lost = `[vite]: Rolldown failed to resolve import "${source}" from "/app-root/app/page.tsx".`
    const errors = [new Error(`\x1b[31m${lost}\x1b[39m`), new Error('another')]
    explainUnresolved(errors, '/app-root')
    expect(errors[1]?.message).toBe('another')
    return errors[0]?.message
  }

  test('names the package to install', () => {
    expect(said('@scope/lost/part')).toBe(
      'app/page.tsx imports @scope/lost/part, which is not installed. Run npm install @scope/lost, or correct the name.',
    )
  })

  test('of another framework names the package that has its names', () => {
    const source = ['next', 'link'].join('/')
    expect(said(source)).toMatch(new RegExp(`^app/page.tsx imports ${source}.*@waymark/next`))
  })
})
