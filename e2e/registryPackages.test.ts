import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../scripts/workspace/run.mjs'
import { appEnv } from './harness/appEnv.ts'
import { copyApp, waymarkCommand } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'
import { freePort } from './harness/freePort.ts'
import { fewPackages, morePackages, type PackageSample } from './harness/packageSamples.ts'
import { hydrated, openPage } from './harness/page.ts'
import { appSource } from './harness/paths.ts'
import { type ServerProcess, startServer } from './harness/serverProcess.ts'

const slugOf = (name: string) => name.replace(/\W+/g, '-').replace(/^-/, '')

function filesOf(samples: readonly PackageSample[]): Record<string, string> {
  const pages = samples.flatMap(({ name, top, body = '', jsx }) => [
    [
      `app/${slugOf(name)}/page.tsx`,
      `import { Show } from './show.tsx'\nexport default () => <section><Show /></section>\n`,
    ],
    [
      `app/${slugOf(name)}/show.tsx`,
      `'use client'\n${top}\nexport function Show() {\n  ${body}\n  return ${jsx}\n}\n`,
    ],
  ])
  return Object.fromEntries(pages)
}

async function expectShown(app: { readonly origin: string }, sample: PackageSample): Promise<void> {
  const { page, expectQuietConsole } = await openPage(app)
  await page.goto(`/${slugOf(sample.name)}`)
  await expect
    .poll(() => page.locator('section').first().innerHTML(), { timeout: 15_000 })
    .toMatch(sample.shows)
  await hydrated(page.locator('section').first())
  expectQuietConsole()
}

describeModes('a package', { app: 'basic', files: filesOf(fewPackages) }, (served) => {
  test.each(fewPackages)('$name', (sample) => expectShown(served.app, sample))
})

// By `npm run test:packages`: it downloads 240 MB of packages.
const isWanted = process.env.WAYMARK_TEST_PACKAGES === '1'
const allPackages = [...fewPackages, ...morePackages]

/** Lays out an app with all of them. @returns `null` where the registry can't be reached */
async function installPackages(): Promise<string | null> {
  const npm = (args: readonly string[], cwd: string) =>
    run('npm', args, { cwd, quiet: true, env: appEnv() })
  const manifests = ['package.json', 'package-lock.json'].map((name) => {
    return [name, readFileSync(join(appSource('packages'), name), 'utf8')]
  })
  const files = { ...filesOf(allPackages), ...Object.fromEntries(manifests) }
  const root = copyApp({ app: 'basic', files })
  // React is the workspace's, as the framework's is: the peers of the packages are left out.
  const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund']
  const { exitCode, output } = await npm(['ci', ...flags], root)
  if (exitCode === 0) return root
  rmSync(root, { recursive: true, force: true })
  if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|network/.test(output)) throw new Error(output)
  console.warn('Packages were not tried: the registry of npm can not be reached.')
  return null
}

describe.runIf(isWanted)('the most used packages', () => {
  let root: string | null = null
  beforeAll(async () => {
    root = await installPackages()
  }, 600_000)
  afterAll(() => {
    if (root) rmSync(root, { recursive: true, force: true })
  })

  describe.each(['dev', 'start'])('%s', (command) => {
    let server: ServerProcess | null = null
    let origin = ''
    beforeAll(async () => {
      if (root === null) return
      if (command === 'start') {
        const { exitCode, output } = await runWaymark(['build'], root)
        if (exitCode !== 0) throw new Error(output)
      }
      const port = await freePort()
      origin = `http://localhost:${port}`
      server = await startServer({
        args: [waymarkCommand(), command, '--port', String(port)],
        cwd: root,
        env: appEnv(),
        listening: origin,
        startWithinMs: 60_000,
      })
    }, 300_000)
    afterAll(() => server?.stop())

    test.each(allPackages)('$name', async (sample) => {
      if (server !== null) await expectShown({ origin }, sample)
    })
  })
})
