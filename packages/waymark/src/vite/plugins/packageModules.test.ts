import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { frameworkFile } from '../config/frameworkFiles.ts'
import { hookModule, serverModule } from './packageModules.ts'

const importOf = (names: string) => `import { ${names} } from "${frameworkFile('callHooks')}"`

const moduleOf = (file: string, name: string) => ({ module: pathToFileURL(file), name })

describe('the server module', () => {
  test('exports the parts of packages with their options, and their texts', () => {
    const server = moduleOf('/p/flags/server.js', 'createFlags')
    const texts = moduleOf('/p/notes/texts.js', 'tables')
    const packages = [
      { name: 'flags', server, options: { a: 1 } },
      { name: 'browser-only' },
      { name: '@x/notes', texts },
    ]
    expect(serverModule(packages)).toBe(
      [
        'import { createFlags as create0 } from "/p/flags/server.js"',
        'import { tables as texts0 } from "/p/notes/texts.js"',
        'export const packages = [',
        '  { name: "flags", create: create0, options: {"a":1} },',
        ']',
        'export const packageTexts = {',
        '  "@x/notes": texts0,',
        '}',
        '',
      ].join('\n'),
    )
  })

  test('is empty without packages', () => {
    expect(serverModule([])).toBe(
      'export const packages = [\n]\nexport const packageTexts = {\n}\n',
    )
  })
})

describe('the module of a hook', () => {
  const one = { name: 'one', client: { onIdle: moduleOf('/p/one.js', 'start') } }
  const two = { name: 'two', client: { onIdle: moduleOf('/p/two.js', 'start') } }

  test('is null without a package that has the hook, so that the calling code is dropped', () => {
    const serverOnly = [{ name: 'server-only' }]
    expect(hookModule('onIdle', serverOnly, true)).toBe('export const onIdle = null\n')
    expect(hookModule('onRouter', [one], false)).toBe('export const onRouter = null\n')
  })

  test('lists all packages in a build, each with its client options', () => {
    const options = { options: { secret: 1 }, clientOptions: { shown: 2 } }
    expect(hookModule('onIdle', [one, { ...two, ...options }], true)).toBe(
      [
        'import { start as hook0 } from "/p/one.js"',
        'import { start as hook1 } from "/p/two.js"',
        importOf('joinHooks'),
        'export const onIdle = joinHooks([',
        '  { load: () => hook0, options: {} },',
        '  { load: () => hook1, options: {"shown":2} },',
        '])',
        '',
      ].join('\n'),
    )
  })

  test('imports each module separately in development', () => {
    expect(hookModule('onIdle', [one], false)).toBe(
      [
        importOf('joinHooks, importHook'),
        'export const onIdle = joinHooks([',
        '  { load: await importHook(() => import("/p/one.js").then((module) => module.start)), options: {} },',
        '])',
        '',
      ].join('\n'),
    )
  })

  test("that only one package can have isn't a list", () => {
    const queue = { queueCalls: moduleOf('/p/queue.js', 'queueCalls') }
    expect(hookModule('queueCalls', [{ name: 'one', client: queue }], true)).toBe(
      [
        'import { queueCalls as hook0 } from "/p/queue.js"',
        importOf('onlyHook'),
        'export const queueCalls = onlyHook({ load: () => hook0, options: {} })',
        '',
      ].join('\n'),
    )
    const packages = [
      { name: 'one', client: queue },
      { name: 'two', client: queue },
    ]
    expect(() => hookModule('queueCalls', packages, true)).toThrow(
      'one and two both have the hook queueCalls',
    )
  })
})
