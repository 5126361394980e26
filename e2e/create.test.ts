import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readCodeBlocks } from '../scripts/guide/codeBlocks.ts'
import { packForApps } from '../scripts/workspace/packForApps.mjs'
import { root } from '../scripts/workspace/paths.mjs'
import { run } from '../scripts/workspace/run.mjs'
import {
  expectPublishable,
  expectRun,
  packPackages,
  serveInstalled,
} from './harness/packedPackage.ts'
import { hydratedElement, openPage } from './harness/page.ts'

// Test the packages as users get them: packed, and installed outside the workspace.
let folder = ''
let createWaymark = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-create-'))
  createWaymark = (await packPackages(['create-waymark'], folder))['create-waymark']
  await expectRun('npm', ['install', '--prefix', join(folder, 'tools'), createWaymark], folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  [[], /Usage: npm run add/],
  [['nowhere', 'live'], /There is no app in .*nowhere\. Create one: npm run create/],
  [['', 'lives'], /There is no package “lives” in this checkout\. Available packages: arrivals, /],
])('npm run add %j prints what is wrong', async (addArgs, message) => {
  const [place, ...names] = addArgs
  const args = place === undefined ? [] : [join(folder, 'tools', place), ...names]
  const { exitCode, output } = await run('npm', [...add, ...args], { cwd: folder, quiet: true })
  expect(exitCode).toBe(1)
  expect(output).toMatch(message)
})

test.each([
  [[], /Usage: npm run move/],
  [['nowhere'], /There is no app in .*nowhere\./],
])('npm run move %j prints what is wrong', async ([place], message) => {
  const args = place === undefined ? [] : [join(folder, place)]
  const move = ['--prefix', root, 'run', 'move', '--', ...args]
  const { exitCode, output } = await run('npm', move, { cwd: folder, quiet: true })
  expect(exitCode).toBe(1)
  expect(output).toMatch(message)
})

test('publint finds nothing in the packed create-waymark', () => expectPublishable(createWaymark))

/** Returns the command that the guide recommends for a checkout of the repository. */
const inCheckout = () => ['npm', '--prefix', root, 'run', 'create', '--']
const add = ['--prefix', root, 'run', 'add', '--']
const installed = async () => [
  join(folder, 'tools/node_modules/.bin/create-waymark'),
  '--waymark',
  `file:${(await packForApps())[0]}`,
]

describe.each([
  { template: 'minimal', create: inCheckout },
  { template: 'tailwind', create: installed },
  { template: 'languages', create: installed },
])('the template $template', ({ template, create }) => {
  let app = ''
  beforeAll(async () => {
    const home = join(folder, template)
    mkdirSync(home)
    const [program = '', ...args] = await create()
    const options = ['shop', '--template', template]
    expect(await expectRun(program, [...args, ...options], home)).toContain('npm run dev')
    app = join(home, 'shop')
    if (template === 'minimal') writeGuestbook(app)
  })

  test('has its hidden files and a lock file', () => {
    expect(existsSync(join(app, '.gitignore'))).toBe(true)
    expect(existsSync(join(app, 'package-lock.json'))).toBe(true)
  })

  test.runIf(template === 'minimal')('can get further packages of the checkout', async () => {
    await expectRun('npm', [...add, '.', 'arrivals'], app)
    const { dependencies, devDependencies } = manifestOf(app)
    expect(Object.keys(dependencies)).toContain('@waymark/arrivals')
    expect(Object.keys(devDependencies)).toContain('@waymark/testing')
    expect(manifestOf(join(app, 'node_modules/@waymark/arrivals')).name).toBe('@waymark/arrivals')
  })

  test('has no type errors', async () => {
    await expectRun('npm', ['run', 'types'], app)
  })

  test('runs in development', async () => {
    const server = await serveInstalled(app, 'dev')
    onTestFinished(() => server.stop())
    await expectAlive(server.origin)
    if (template === 'languages') await switchLanguage(server.origin)
    expect((await fetch(`${server.origin}/_waymark/devtools/panel/mark.js`)).status).toBe(200)
  })

  test('can be built and served', async () => {
    await expectRun('npm', ['run', 'build'], app)
    const server = await serveInstalled(app, 'start')
    onTestFinished(() => server.stop())
    await expectAlive(server.origin)
    if (template === 'languages') await switchLanguage(server.origin)
    expect((await fetch(`${server.origin}/missing`)).status).toBe(404)
    if (template === 'minimal') await signGuestbook(server.origin)
    // Runs the app's tests that need no browser, against the existing build.
    expect(await expectRun('npm', ['test'], app)).toMatch(/Tests +3 passed/)
  })
})

function manifestOf(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Writes the files from the guide's page "Your first app". */
function writeGuestbook(app: string): void {
  const page = new URL('../site/app/guide/ten-minutes/page.mdx', import.meta.url)
  for (const { file, code } of readCodeBlocks(readFileSync(page, 'utf8'))) {
    if (file === null) continue
    mkdirSync(dirname(join(app, file)), { recursive: true })
    writeFileSync(join(app, file), code)
  }
}

async function signGuestbook(origin: string): Promise<void> {
  const { page, expectQuietConsole } = await openPage({ origin })
  await page.goto('/guestbook')
  await page.getByLabel('Your entry').fill('Hello')
  await page.getByRole('button', { name: 'Sign' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Hello' }).waitFor()
  expectQuietConsole()
}

/** Opens the start page in English, and follows the link to the German page. */
async function switchLanguage(origin: string): Promise<void> {
  const { page, expectQuietConsole } = await openPage({ origin })
  await page.goto('/en')
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Ihre App läuft' }).waitFor()
  await (await hydratedElement(page.getByRole('button', { name: 'Zähler: 0' }))).click()
  await page.getByRole('button', { name: 'Zähler: 1' }).waitFor()
  await page.getByRole('button', { name: 'Farbschema' }).waitFor()
  expectQuietConsole()
  const missing = await fetch(`${origin}/de/missing`)
  expect(missing.status).toBe(404)
  const html = await missing.text()
  expect(html).toContain('<html lang="de"')
  expect(html).toContain('Diese Seite gibt es nicht')
}

/** Opens the start page, and checks that all of its parts work. */
async function expectAlive(origin: string) {
  const { page, expectQuietConsole } = await openPage({ origin }, { colorScheme: 'light' })
  const response = await page.goto('/')
  expect(response?.status()).toBe(200)
  expect(await page.title()).toBe('shop')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your app is running')

  await (await hydratedElement(page.getByRole('button', { name: 'Count 0' }))).click()
  await page.getByRole('button', { name: 'Count 1' }).waitFor()

  const paper = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const lightPaper = await paper()
  const toggle = page.getByRole('button', { name: 'Theme' })
  await toggle.click()
  expect(await paper(), 'dark').not.toBe(lightPaper)
  await toggle.click()
  expect(await paper(), 'light').toBe(lightPaper)
  expectQuietConsole()
}
