import { expect, test } from 'vitest'
import { explanations } from './explanations.ts'

/** @param message message of an error that is thrown on the server, outside of the app's files */
function explain(message: string): string | undefined {
  for (const [pattern, explainMatch] of explanations) {
    const match = pattern.exec(message)
    const explanation =
      match && explainMatch(match, { root: '/app-root', place: null, isBrowser: false })
    if (explanation) return typeof explanation === 'string' ? explanation : explanation.message
  }
  return undefined
}

test.each([
  ['cookies(...).get is not a function', /Write \(await cookies\(\)\)\.get\(\)/],
  [
    'localStorage is not defined',
    /^localStorage only exists in browsers, but a package also runs on the server/,
  ],
  [
    'Objects are not valid as a React child (found: object with keys {a, b}). If you',
    /with the keys \{a, b\} can't be shown/,
  ],
  [
    'Objects are not valid as a React child (found: [object Promise]).',
    /^A promise can't be shown here\. Await it/,
  ],
  [
    "'server-only' cannot be imported in client build ('ssr' environment):\n imported by app/a.tsx",
    /^app\/a\.tsx imports server-only/,
  ],
  ['unsupported non async function', /^A file with 'use server' can only export async functions\./],
])('%s', (message, expected) => {
  expect(explain(message)).toMatch(expected)
})
