import { expect, test } from 'vitest'
import { checkAsInBrowsers } from './clientEnvPlugin.ts'

type Options = { readonly isServer?: boolean; readonly onInvalidAccess?: () => unknown }

/** Returns the options that the body of `createEnv()` sees. */
function optionsSeen(code: string, options: Options): Options {
  const run = new Function(`${checkAsInBrowsers(code)}; return createEnv`)
  return run()(options) as Options
}

test.each([
  'function createEnv(opts) { return opts }',
  'const createEnv = (o) => { return o }',
  'const createEnv = function (opts) {\n  "use strict"; return opts }',
])('variables are checked as in browsers, unless the app sets isServer: %s', (code) => {
  expect(optionsSeen(code, {}).isServer).toBe(false)
  expect(optionsSeen(code, { isServer: true }).isServer).toBe(true)
})

test('a server variable is undefined while client components are rendered to HTML', () => {
  const fail = () => {
    throw new Error('not here')
  }
  const code = 'function createEnv(opts) { return opts }'
  expect(optionsSeen(code, { onInvalidAccess: fail }).onInvalidAccess?.()).toBeUndefined()
})

test('code that only uses the function is unchanged', () => {
  expect(checkAsInBrowsers('import { createEnv } from "./src.js"; createEnv({})')).toBeNull()
  expect(checkAsInBrowsers('export function createEnv({ server }) {}')).toBeNull()
})
