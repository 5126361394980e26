import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { JournalEntry } from 'waymark/drivers'
import type { StoredRequest } from '../server/storedRequest.ts'
import { type ReplayResult, wayTo } from './judgeReplay.ts'
import { sessionFile } from './session.ts'

const folders = ['tests', 'test', '__tests__']

/**
 * Writes a test for an error into the app's test folder.
 * @returns the file, and `isNew`: false if the file existed already and was left as it is
 */
export function writeTest(root: string, { entry, request, sentCookies }: ReplayResult) {
  if (!entry || !(request || entry.phase === 'browser')) return null
  const folder = join(root, folders.find((name) => existsSync(join(root, name))) ?? 'tests')
  const file = join(folder, `replay-${entry.digest}.test.ts`)
  const session = sessionFile(root)
  const text = request
    ? requestTest(entry, request, {
        session: session && basename(session),
        neededCookies: sentCookies,
      })
    : browserTest(entry)
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return { file, isNew: true }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return { file, isNew: false }
    throw error
  }
}

/** Builds the code of a test that uses `testApp()`. @param session file name of the app's `replay.ts` */
export function requestTest(
  entry: JournalEntry,
  request: StoredRequest,
  {
    session,
    neededCookies,
  }: { readonly session: string | undefined; readonly neededCookies: readonly string[] },
): string {
  const { method, target, headers, action } = request
  const { digest, phase, route, path } = entry
  const context = { digest, phase, route, path, method }
  const isLate = phase === 'after' || phase === 'cache'
  const fields = [
    ...(action ? [] : [`method: ${literal(method)},`]),
    `path: ${literal(target)},`,
    `headers: ${literal(headers)},`,
    ...(action ? [`action: ${literal(action)},`] : []),
    ...(session === undefined ? [] : ['...(await openSession({ entry, origin: app.origin })),']),
    ...(neededCookies.length > 0 ? [`neededCookies: ${literal(neededCookies)},`] : []),
  ]
  return [
    "import { replayRequest } from '@waymark/replay'",
    "import { type TestApp, testApp } from '@waymark/testing'",
    "import { afterAll, beforeAll, expect, test } from 'vitest'",
    ...(session === undefined ? [] : [`import openSession from '../${session}'`]),
    '',
    ...comment(entry),
    ...appLines,
    'afterAll(() => app?.close())',
    '',
    ...(session === undefined ? [] : [`const entry = ${literal(context)} as const`, '']),
    `test(${literal(`${method} ${target} does not fail as ${digest} did`)}, async () => {`,
    '  const response = await replayRequest(app, {',
    ...fields.map((line) => `    ${line}`),
    '  })',
    ...(isLate ? ['  await new Promise((resolve) => setTimeout(resolve, 2_000))'] : []),
    `  const thrown = ${isLate ? 'await app.thrown()' : 'response.thrown'}`,
    expectation('thrown'),
    '  expect(response.status).toBeLessThan(500)',
    '}, 60_000)',
    '',
  ].join('\n')
}

/** Builds the code of a test that runs in a real browser. */
export function browserTest(entry: JournalEntry): string {
  const way = wayTo(entry)
  return [
    "import { launchBrowser, type TestApp, testApp } from '@waymark/testing'",
    "import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'",
    '',
    ...comment(entry),
    ...appLines,
    'afterAll(() => app?.close())',
    '',
    `test(${literal(`${way.at(-1) ?? '/'} does not fail as ${entry.digest} did`)}, async () => {`,
    '  const browser = await launchBrowser()',
    '  onTestFinished(() => browser.close())',
    '  const page = await browser.newPage({ baseURL: app.origin })',
    '  // Visits the same pages as the original browser.',
    `  for (const path of ${literal(way)}) {`,
    `    const link = page.locator('a[href=' + JSON.stringify(path) + ']')`,
    '    if ((await link.count()) > 0) await link.first().click()',
    "    else await page.goto(path, { waitUntil: 'networkidle' })",
    '  }',
    '  // Wait a moment for the browser to report the error.',
    '  await page.waitForTimeout(3_000)',
    "  const thrown = (await app.thrown()).filter(({ phase }) => phase === 'browser')",
    expectation('thrown'),
    '}, 60_000)',
    '',
  ].join('\n')
}

/** Builds an assertion whose failure shows the name and message of each error. */
function expectation(thrown: string): string {
  return `  expect(${thrown}.map(({ name, message }) => name + ': ' + message).join()).toBe('')`
}

const appLines = [
  'let app: TestApp',
  'beforeAll(async () => {',
  "  app = await testApp(new URL('..', import.meta.url))",
  '}, 120_000)',
]

function comment({ digest, name, message, buildId, fingerprint }: JournalEntry): string[] {
  const [first = ''] = message.split(/[\r\n\u2028\u2029]/, 1)
  const plain = `${name}: ${first}`.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 200)
  const build = buildId === null ? '' : ` of the build ${literal(buildId)}`
  return [
    `// ${plain}`,
    `// Written by waymark replay ${digest} --test, for the fingerprint ${literal(fingerprint)}${build}.`,
  ]
}

/**
 * Formats a value as JSON, which is valid JavaScript. Also escapes the line separators U+2028 and
 * U+2029, at which editors break lines.
 */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u2028\u2029]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16)}`,
  )
}
