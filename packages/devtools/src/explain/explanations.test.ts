import { expect, test } from 'vitest'
import { explanations } from './explanations.ts'

/** @param message as it is thrown on the server, in no file of the app */
function explain(message: string): string | undefined {
  for (const [pattern, explainFound] of explanations) {
    const found = pattern.exec(message)
    const said = found && explainFound(found, { root: '/app-root', place: null, isBrowser: false })
    if (said) return typeof said === 'string' ? said : said.message
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
])('%s', (message, said) => {
  expect(explain(message)).toMatch(said)
})
