import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { hookModule, serverModule } from './packageModules.ts'

const moduleOf = (file: string, name: string) => ({ module: pathToFileURL(file), name })

describe('the server module', () => {
  test('joins the parts of packages, each with its options', () => {
    const server = moduleOf('/p/flags/server.js', 'createFlags')
    const packages = [{ name: 'flags', server, options: { a: 1 } }, { name: 'browser-only' }]
    expect(serverModule(packages)).toBe(
      [
        'import { createFlags as create0 } from "/p/flags/server.js"',
        'export const packages = [',
        '  { name: "flags", create: create0, options: {"a":1} },',
        ']',
        '',
      ].join('\n'),
    )
  })

  test('is an empty list without packages', () => {
    expect(serverModule([])).toBe('export const packages = [\n]\n')
  })
})

describe('the module of a hook', () => {
  const one = { name: 'one', client: { onIdle: moduleOf('/p/one.js', 'start') } }
  const two = { name: 'two', client: { onIdle: moduleOf('/p/two.js', 'start') } }

  test('is null without a package that has it, so that its code is left out', () => {
    expect(hookModule('onIdle', [{ name: 'server-only' }])).toBe('export const onIdle = null\n')
    expect(hookModule('onRouter', [one])).toBe('export const onRouter = null\n')
  })

  test('holds the functions of all packages', () => {
    expect(hookModule('onIdle', [one, two])).toBe(
      [
        'import { start as hook0 } from "/p/one.js"',
        'import { start as hook1 } from "/p/two.js"',
        'export const onIdle = [hook0, hook1]',
        '',
      ].join('\n'),
    )
  })

  test('that one package alone can have is that function', () => {
    const queue = { queueCalls: moduleOf('/p/queue.js', 'queueCalls') }
    expect(hookModule('queueCalls', [{ name: 'one', client: queue }])).toBe(
      'import { queueCalls as hook } from "/p/queue.js"\nexport { hook as queueCalls }\n',
    )
    expect(() =>
      hookModule('queueCalls', [
        { name: 'one', client: queue },
        { name: 'two', client: queue },
      ]),
    ).toThrow('one and two both have the hook queueCalls')
  })
})
