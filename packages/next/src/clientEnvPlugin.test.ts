import { expect, test } from 'vitest'
import { checkAsInBrowsers } from './clientEnvPlugin.ts'

test('createEnv() checks variables as in browsers, unless the app sets isServer', () => {
  // A line of @t3-oss/env-core 0.13.
  const line = (test: string) => `const isServer = opts.isServer ?? (${test});`
  expect(checkAsInBrowsers(line('typeof window === "undefined" || "Deno" in window'))).toBe(
    line('false'),
  )
})

test('a server variable is undefined while client components are rendered to HTML', () => {
  // A line of @t3-oss/env-core 0.13.
  expect(checkAsInBrowsers('if (!isValidServerAccess(prop)) return onInvalidAccess(prop);')).toBe(
    'if (!isValidServerAccess(prop)) return undefined;',
  )
})
