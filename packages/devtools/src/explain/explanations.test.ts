import { expect, test } from 'vitest'
import { explanations } from './explanations.ts'

/** @param message as it is thrown on the server, in no file of the app */
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
  ['cookies(...).get is not a function', /write \(await cookies\(\)\)\.get\(\)/],
  [
    'localStorage is not defined',
    /^localStorage is for browsers, and a package runs on the server, too/,
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
  ['unsupported non async function', /^A file with 'use server' exports async functions only\./],
])('%s', (message, expected) => {
  expect(explain(message)).toMatch(expected)
})
