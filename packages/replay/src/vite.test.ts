import { expect, test } from 'vitest'
import { type ReplayOptions, replay } from './vite.ts'

function partsOf(command: 'build' | 'serve') {
  return replay({ query: ['page'] }).api.waymarkPackage({ command, mode: 'production' })
}

test('a build stores requests, and the dev server does not', () => {
  expect(partsOf('build')).toMatchObject({
    server: { name: 'describeRequests' },
    options: { arguments: [], query: ['page'], params: [] },
  })
  expect(partsOf('serve').server).toBeUndefined()
})

test('both have the command waymark replay', () => {
  for (const command of ['build', 'serve'] as const)
    expect(Object.keys(partsOf(command).commands ?? {})).toEqual(['replay'])
})

test.each<[string, object, string]>([
  [
    'an unknown list',
    { querys: ['page'] },
    'replay() has no option querys. Its options are arguments, query',
  ],
  [
    'a name that every object has',
    { toString: ['page'] },
    'replay() has no option toString. Its options are arguments, query',
  ],
  [
    'an action without its file',
    { arguments: ['add'] },
    "a list such as ['app/actions.ts#addToCart']",
  ],
  ['an absolute file', { arguments: ['/app/a.ts#add'] }, "replay({ arguments }) can't be"],
  ['a name with a value', { query: ['page=1'] }, "a list such as ['page']"],
  ['a text instead of a list', { params: 'slug' }, "a list such as ['slug']"],
])('%s is refused', (_name, options, message) => {
  // Cast the options, because JavaScript can pass options that the types forbid.
  expect(() => replay(options as ReplayOptions)).toThrow(message)
})
