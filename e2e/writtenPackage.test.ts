import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCodeBlocks } from '../scripts/guide/codeBlocks.ts'
import { root } from '../scripts/workspace/paths.mjs'
import { run } from '../scripts/workspace/run.mjs'
import { runWaymark } from './harness/commandLine.ts'
import { describeApp, describeModes, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { appsFolder } from './harness/paths.ts'
import { heading } from './harness/visit.ts'

/** The package and the configuration from the guide's page, as a reader would copy them. */
const guide = readFileSync(join(root, 'site/app/guide/write-a-package/page.mdx'), 'utf8')
const files: Readonly<Record<string, string>> = Object.fromEntries([
  ...readCodeBlocks(guide).flatMap(({ file, code }) => (file === null ? [] : [[file, code]])),
  [
    'app/next/page.tsx',
    `import { Link } from 'waymark'

export default function Next() {
  return (
    <>
      <h1>Next page</h1>
      <Link href="/slow">Slow page</Link>
    </>
  )
}
`,
  ],
  [
    'app/slow/page.tsx',
    `import { Link } from 'waymark'
import { headers } from 'waymark/server'

export default async function Slow() {
  await headers()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  return (
    <>
      <h1>Slow page</h1>
      <Link href="/next">Next page</Link>
    </>
  )
}
`,
  ],
  [
    'app/page.tsx',
    `import { Link } from 'waymark'

export default function Page() {
  return (
    <>
      <h1>First page</h1>
      <Link href="/next">Next page</Link>
      <Link href="/slow">Slow page</Link>
    </>
  )
}
`,
  ],
])

test('the package compiles with the tsconfig.json of the guide', async () => {
  mkdirSync(appsFolder, { recursive: true })
  const folder = mkdtempSync(join(appsFolder, 'written-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [file, code] of Object.entries(files)) {
    if (!file.startsWith('load-times/')) continue
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const cwd = join(folder, 'load-times')
  const compiled = await run(process.execPath, [tsc], { cwd, quiet: true })
  expect(compiled).toMatchObject({ exitCode: 0, output: '' })
  const written = readdirSync(join(cwd, 'dist'))
  expect(written).toEqual(
    expect.arrayContaining(['vite.js', 'vite.d.ts', 'commands.js', 'server.js']),
  )
})

/** Returns the files of the same app with a base path. */
const filesBelow = (basePath: string) => ({
  ...files,
  'vite.config.ts': (files['vite.config.ts'] ?? '').replace(
    'waymark()',
    `waymark({ basePath: '${basePath}' })`,
  ),
})

describeModes('a package from the guide', { app: 'recipes', files }, (served) =>
  testPackage(served, ''),
)

const below = { app: 'recipes', files: filesBelow('/docs') }

describeApp('a package from the guide, below a base path', below, (served) =>
  testPackage(served, '/docs'),
)

function testPackage(served: Served, basePath: string): void {
  const endpoint = `${basePath}/_waymark/load-times`
  const counted = async (): Promise<object> => (await served.fetch(endpoint)).json()

  test('shows a notice for a slow page, and closes it', async () => {
    const { page } = await openPage(served.app)
    await page.goto(`${basePath}/`)
    await hydrated(page)
    await page.getByRole('link', { name: 'Slow page' }).click()
    await heading(page, 'Slow page').waitFor()
    const notice = page.locator('[data-waymark-notice]')
    await expect.poll(() => notice.textContent()).toMatch(/^This page took \d(\.\d)? seconds\.OK$/)
    await notice.getByRole('button', { name: 'OK' }).click()
    await expect.poll(() => notice.count()).toBe(0)
  })

  test('counts navigations in browsers, with its endpoint, for its command', async () => {
    const { page } = await openPage(served.app)
    await page.goto(`${basePath}/`)
    await hydrated(page)
    await page.getByRole('link', { name: 'Next page' }).click()
    await heading(page, 'Next page').waitFor()
    await expect.poll(counted).toMatchObject({ [`${basePath}/next`]: { loads: 1 } })
    const { exitCode, output } = await runWaymark(
      ['slowest', '--url', served.app.origin + basePath],
      served.app.root,
    )
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.stringMatching(
        new RegExp(
          `^${basePath}/next: \\d+ ms over 1 loads\nA server counts 50 paths at most.$`,
          'm',
        ),
      ),
    })
  })

  test('refuses requests that no browser of the app sends', async () => {
    const post = async (body: string, origin = served.app.origin) => {
      const init = { method: 'POST', body, headers: { origin } }
      return (await served.fetch(endpoint, init)).status
    }
    expect(await post('path=/a&ms=5', 'https://other.test')).toBe(403)
    for (const body of ['', 'path=x&ms=5', 'path=/a&ms=-1']) expect(await post(body)).toBe(400)
    expect(await post('x'.repeat(1_001))).toBe(413)
    for (let count = 0; count < 60; count++) await post(`path=/many-${count}&ms=5`)
    expect(Object.keys(await counted()).length).toBe(50)
  })

  test('lists its command in the help', async () => {
    const { output } = await runWaymark(['--help'], served.app.root)
    expect(output).toContain('List the paths whose navigations take longest')
  })

  test("shows its texts in the language of the visitor, with the app's replacements", async () => {
    const { page } = await openPage(served.app, { locale: 'de-DE' })
    await page.goto(`${basePath}/slow`)
    await hydrated(page)
    await page.getByRole('link', { name: 'Next page' }).click()
    await heading(page, 'Next page').waitFor()
    await page.getByRole('link', { name: 'Slow page' }).click()
    await heading(page, 'Slow page').waitFor()
    const notice = page.locator('[data-waymark-notice]')
    await expect
      .poll(() => notice.textContent())
      .toMatch(/^Diese Seite hat \d(,\d)? Sekunden gebraucht\.Schließen$/)
    expect(await notice.getAttribute('lang')).toBe('de')
    const inEnglish = await (await served.fetch(`${basePath}/slow`)).text()
    expect(inEnglish).not.toMatch(/gebraucht|took/)
  })
}
