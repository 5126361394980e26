import { describe, expect, test } from 'vitest'
import { callbackViolations } from './callbackRules.ts'
import { parseSource } from './source.ts'

const check = (text: string, path = 'packages/waymark/src/node/a.ts') =>
  callbackViolations([parseSource(path, text)], [])

describe("callbacks of React's renderers", () => {
  test.each([
    ['not wrapped', 'renderToPipeableStream(model, { onError: report })', 'onError'],
    ['written there', 'renderToPipeableStream(m, { onError: () => new URL(x).host })', 'onError'],
    ['in shorthand', 'prerenderToNodeStream(m, { onError })', 'onError'],
    [
      'in a third argument',
      'renderToPipeableStream(m, {}, { onClientReference: see })',
      'onClient',
    ],
    ['spread within', 'resumeToPipeableStream(m, s, { ...(a ? { onError } : {}) })', 'onError'],
    ['passed in a variable', 'renderToPipeableStream(model, options)', 'options'],
    ['spread from another object', 'renderToPipeableStream(model, { ...options })', 'options'],
    [
      'wrapped, in a variable that may change',
      'let f = neverThrows(g, 0); renderToReadableStream(m, { onError: f })',
      'onError',
    ],
  ])('are found if they are %s', (_, text, name) => {
    expect(check(text)).toEqual([expect.stringContaining(name)])
  })

  test.each([
    "renderToPipeableStream(model, { onError: neverThrows(report, '') })",
    'const onError = neverThrows(report, 0); renderToPipeableStream(model, { onError })',
    'renderToPipeableStream(model, { nonce, formState })',
    'renderToPipeableStream(model)',
    'render(model, { onError })',
  ])('are accepted if they are %s', (text) => {
    expect(check(text)).toEqual([])
  })
})

describe('listeners of events', () => {
  test.each([
    "res.on('close', () => end())",
    "res?.once('close', end)",
    "signal.addEventListener('abort', act, { once: true })",
    "emitter.addListener('x', function () { end() })",
  ])('are found in %s', (text) => {
    expect(check(text)).toHaveLength(1)
  })

  test.each([
    "res.on('close', neverThrows(end, undefined))",
    "const onClose = neverThrows(end, undefined)\nres.on('close', onClose)",
    "process.on('SIGHUP', () => {})",
    'const sink = { on: () => sink }',
  ])('are accepted in %s', (text) => {
    expect(check(text)).toEqual([])
  })

  test('are not checked in tests and in code that runs elsewhere', () => {
    expect(check("a.on('b', c)", 'packages/waymark/src/node/a.test.ts')).toEqual([])
    expect(check("a.on('b', c)", 'packages/waymark/src/client/a.ts')).toEqual([])
  })
})

describe('the list of callbacks that are not wrapped', () => {
  const source = parseSource('packages/waymark/src/node/a.ts', "a.on('b', c)")

  test('accepts the callbacks that it names', () => {
    expect(callbackViolations([source], [['node/a.ts', 'b of a.on', 'why']])).toEqual([])
  })

  test('names no callback that is gone', () => {
    const listed = [
      ['node/a.ts', 'b of a.on', 'why'],
      ['node/b.ts', 'b of a.on', 'why'],
    ] as const
    expect(callbackViolations([source], listed)).toEqual([
      'node/b.ts has no b of a.on. Remove it from the list.',
    ])
  })
})
