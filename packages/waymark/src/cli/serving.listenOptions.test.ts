import { expect, test } from 'vitest'
import { listenOptions } from './serving.ts'

test.each([
  [{}, {}, { port: 3000 }],
  [{}, { PORT: '4000', HOST: '::' }, { port: 4000, host: '::' }],
  [
    { port: 5000, host: 'a' },
    { PORT: '4000', HOST: 'b' },
    { port: 5000, host: 'a' },
  ],
  [{ port: 0 }, {}, { port: 0 }],
  [{}, { PORT: '', HOST: '' }, { port: 3000 }],
])('%o and %o', (options, env, expected) => {
  expect(listenOptions(options, env)).toEqual(expected)
})

test('an invalid PORT is refused with the name of the variable', () => {
  expect(() => listenOptions({}, { PORT: 'http' })).toThrow('PORT is "http", which is not a port')
})
