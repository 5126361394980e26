import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { root as repository } from '../scripts/workspace/paths.mjs'
import { run } from '../scripts/workspace/run.mjs'
import { chromium } from '../scripts/workspace/systemTools.mjs'
import { appEnv } from './harness/appEnv.ts'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { digestPattern, lookUp } from './harness/digests.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { startBuild } from './harness/startBuild.ts'

let root = ''
let origin = ''
let stop = async () => {}

beforeAll(async () => {
  root = copyApp({ app: 'replayed' })
  await build()
  const server = await startBuild(root)
  origin = server.origin
  stop = server.stop
})

afterAll(async () => {
  await stop()
  rmSync(root, { recursive: true, force: true })
})

async function build() {
  const { exitCode, output } = await runWaymark(['build'], root)
  expect(exitCode, output).toBe(0)
  expect(output).not.toContain('journal.replay')
}

async function replay(digest: string, ...args: string[]) {
  const { exitCode, output } = await runWaymark(['replay', digest, '--json', ...args], root)
  return { exitCode, output, ...JSON.parse(output.slice(output.indexOf('{\n'))) }
}

/** Sends a request that fails, and waits until the journal contains its entry. */
async function fail(path: string, init: RequestInit = {}) {
  const response = await fetch(origin + path, init)
  await response.text()
  const digest = response.headers.get('x-waymark-digest') ?? ''
  return { digest, entry: await lookUp({ app: { root } }, digest) }
}

const same = { outcome: 'same', exitCode: 1 }

test('a document fails in the same way, with the stack in the sources', async () => {
  const cookie = 'guide=Ada; session=abc'
  const { digest, entry } = await fail('/tours/elm?unit=km&token=abc', { headers: { cookie } })
  expect(entry.replay).toMatchObject({
    target: '/tours/elm?unit=km&token=removed',
    cookies: ['guide', 'session'],
  })
  const replayed = await replay(digest)
  expect(replayed).toMatchObject({ ...same, status: 500 })
  expect(replayed.error.code.text).toContain('return stages.reduce(')
  expect(replayed.notes.join()).toContain('query token')
})

test('page data does, too', async () => {
  const { digest } = await fail('/_waymark/data/tours/elm.rsc?unit=km')
  expect(await replay(digest)).toMatchObject({ ...same, error: { phase: 'data' } })
})

test('a route handler does, too, and one with possible effects if an option allows it', async () => {
  const { digest } = await fail('/api/lengths?slug=elm')
  expect(await replay(digest, '--url', origin)).toMatchObject(same)
  const posted = await fail('/api/lengths?slug=elm', { method: 'POST', headers: { origin } })
  const refused = await replay(posted.digest)
  expect(refused).toMatchObject({ outcome: 'refused', exitCode: 2 })
  expect(refused.says).toContain('--run-action')
  expect(await replay(posted.digest, '--run-action')).toMatchObject(same)
})

test('an action with stored arguments does, too', async () => {
  const call = async (slug: string, name: string) => {
    const body = new FormData()
    body.append('_1_slug', slug)
    body.append('_1_password', 'hidden')
    body.append('0', '["$K1"]')
    const headers = { origin, 'waymark-action': idOf(name) }
    return fail('/add', { method: 'POST', headers, body })
  }
  const { digest, entry } = await call('elm', 'addTour')
  expect(JSON.stringify(entry)).not.toContain('hidden')
  expect(await replay(digest, '--run-action')).toMatchObject(same)
  const dropped = await call('elm', 'dropTour')
  const { says, exitCode } = await replay(dropped.digest, '--run-action')
  expect(says).toContain("arguments: ['app/actions.ts#dropTour']")
  expect(exitCode).toBe(2)
})

test('a build warns if no action has a name whose arguments it should store', async () => {
  const copy = copyApp({ app: 'replayed' })
  const config = join(copy, 'vite.config.ts')
  writeFileSync(config, readFileSync(config, 'utf8').replace('#addTour', '#addTuor'))
  const { exitCode, output } = await runWaymark(['build'], copy)
  rmSync(copy, { recursive: true, force: true })
  expect(exitCode, output).toBe(0)
  expect(output.split('no page of the build uses: app/actions.ts#addTuor')).toHaveLength(2)
})

test('an unknown digest is reported', async () => {
  const { says, exitCode } = await replay('0000-0000-000')
  expect(says).toContain('no error 0000-0000-000')
  expect(exitCode).toBe(2)
})

const red = (digest: string) =>
  new RegExp(`Wrote tests/replay-${digest}\\.test\\.ts\\. The test ran and failed: .*TypeError`)

test('the test of a request that needs a user fails without one, and says how to add one', async () => {
  const { digest } = await fail('/members', { headers: { cookie: 'session=abc; theme=dark' } })
  const file = join(root, `tests/replay-${digest}.test.ts`)
  onTestFinished(() => rmSync(file, { force: true }))
  const without = await replay(digest, '--test')
  expect(without).toMatchObject({ outcome: 'refused', status: 401 })
  expect(existsSync(file)).toBe(false)
  const signedIn = await replay(digest, '--cookie', 'session=abc', '--test')
  expect(signedIn.notes.join()).toMatch(red(digest))
  expect(readFileSync(file, 'utf8')).not.toContain('abc')
  const run = (cookies: string) => runTests(file, { WAYMARK_REPLAY_COOKIES: cookies })
  const anonymous = await run('')
  expect(anonymous.exitCode).toBe(1)
  expect(anonymous.output).toContain('This request needs the cookie session of a signed-in user')
  expect((await run('session=expired')).output).toContain('was refused with status 401')
  expect((await run('session=abc')).output).toContain('AssertionError')
}, 120_000)

test('no test is written for an error in a browser that needs a click', async () => {
  const { page } = await openPage({ origin })
  await page.goto('/click')
  await (await hydratedElement(page.getByRole('button'))).click()
  const digestLine = page.locator('.waymark-screen-digest')
  const digest = digestPattern.exec((await digestLine.textContent()) ?? '')?.[0] ?? ''
  await lookUp({ app: { root } }, digest)
  const { notes } = await replay(digest, '--test')
  expect(notes.join()).toContain("opening these pages in a browser doesn't cause the error")
  expect(existsSync(join(root, `tests/replay-${digest}.test.ts`))).toBe(false)
}, 120_000)

test('tests fail at first, and pass once the code is fixed', async () => {
  const document = await fail('/tours/elm')
  const { page } = await openPage({ origin })
  await page.goto('/look')
  const digestLine = page.locator('.waymark-screen-digest')
  const browserDigest = digestPattern.exec((await digestLine.textContent()) ?? '')?.[0] ?? ''
  expect((await lookUp({ app: { root } }, browserDigest)).phase).toBe('browser')
  const inBrowser = await replay(browserDigest, '--test')
  expect(inBrowser).toMatchObject({ outcome: 'refused', exitCode: 2 })
  expect(inBrowser.says).toContain('The pages: /look')
  expect(inBrowser.notes.join()).toMatch(red(browserDigest))
  expect((await replay(document.digest, '--test')).notes.join()).toMatch(red(document.digest))
  // The second run must not change an existing test file, but must run it.
  const again = await replay(document.digest, '--test')
  expect(again.notes.join()).toContain("already exists and wasn't changed. The test ran and failed")
  const files = [document.digest, browserDigest].map((each) => `tests/replay-${each}.test.ts`)
  expect(files.filter((file) => existsSync(join(root, file)))).toEqual(files)
  expect((await runTests()).output).toMatch(/Tests\s+2 failed/)
  edit('app/tours.ts', (text) => text.replace('as number[]', '?? []'))
  edit('app/look/length.tsx', (text) => text.replace('as number[]', '?? []'))
  expect((await replay(document.digest)).notes.join()).toContain('run waymark build')
  await build()
  expect(await replay(document.digest)).toMatchObject({ outcome: 'fixed', exitCode: 0 })
  const { exitCode, output } = await runTests()
  expect(exitCode, output).toBe(0)
}, 300_000)

/** Returns an action's id from a form, because none of the app's scripts calls the action. */
function idOf(name: string): string {
  const text = readFileSync(join(root, '.waymark/rsc/__waymark_build.js'), 'utf8')
  return new RegExp(`"([^"]+#${name})"`).exec(text)?.[1] ?? ''
}

function edit(file: string, change: (text: string) => string): void {
  const path = join(root, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

/** Runs the app's tests as a developer would. */
function runTests(file = '', added: Readonly<Record<string, string>> = {}) {
  const program = join(repository, 'node_modules/vitest/vitest.mjs')
  const env = appEnv({ WAYMARK_BROWSER: chromium.find() ?? 'missing', ...added })
  const args = [
    program,
    'run',
    ...(file === '' ? [] : [file]),
    '--root',
    root,
    '--config',
    join(root, 'vitest.config.ts'),
  ]
  return run(process.execPath, args, { cwd: root, quiet: true, env })
}
