import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../scripts/workspace/run.mjs'
import type { Mode } from './harness/app.ts'
import { appEnv } from './harness/appEnv.ts'
import { describeModes } from './harness/describeModes.ts'
import { freePort } from './harness/freePort.ts'
import {
  importingModule,
  isForBrowsers,
  moduleShapes,
  places,
  shapeFiles,
  shapeLinks,
} from './harness/moduleShapes.ts'
import { openPage } from './harness/page.ts'
import { startServer } from './harness/serverProcess.ts'

type Facts = Record<string, Record<string, unknown>>

// Import from both kinds of packages, because the nearest package.json decides which default export
// an importer of CommonJS gets.
const importers = ['module', 'untyped'] as const

function packageFiles(
  name: string,
  files: Readonly<Record<string, string>>,
  manifest: Readonly<Record<string, unknown>> = {},
): Record<string, string> {
  const all = {
    ...files,
    'package.json': JSON.stringify({ name, version: '1.2.3', ...manifest }),
  }
  return Object.fromEntries(
    Object.entries(all).map(([file, text]) => [`node_modules/${name}/${file}`, text]),
  )
}

const files = {
  'package.json': JSON.stringify({
    private: true,
    dependencies: Object.fromEntries([
      ...['incomplete', 'loads-by-name', 'loaded-by-name', 'member-by-name'].map((name) => [
        name,
        '*',
      ]),
      ...places
        .filter((place) => place !== 'own')
        .flatMap((place) => moduleShapes.map(({ name }) => [`${place}-${name}`, '*'])),
    ]),
  }),
  ...shapeFiles(),
  ...packageFiles('loads-by-name', {
    // Load a module by name as `pino.transport()` does, from a package that the caller's file can
    // find.
    'index.js': `const { createRequire } = require('node:module')
exports.load = ({ target }) => {
  const before = Error.prepareStackTrace
  Error.prepareStackTrace = (_error, sites) => sites.slice(1).map((site) => site.getFileName())
  const files = new Error().stack
  Error.prepareStackTrace = before
  for (const file of files) {
    try {
      return createRequire(file)(target)
    } catch {}
  }
  throw new Error(\`No caller finds \${target}: \${files}\`)
}
`,
  }),
  // Use pnpm's layout: a package with its dependency next to it.
  ...packageFiles(
    '.store/node_modules/loaded-by-name',
    { 'index.js': "module.exports = 'loaded with ' + require('dependency-of-loaded')\n" },
    { dependencies: { 'dependency-of-loaded': '*' } },
  ),
  ...packageFiles('.store/node_modules/dependency-of-loaded', {
    'index.js': "module.exports = 'its dependency'\n",
  }),
  // Use a workspace's layout: a link to a package outside of `node_modules`.
  'members/by-name/package.json': '{ "name": "member-by-name", "version": "1.0.0" }',
  'members/by-name/index.js': "module.exports = 'loaded from a member'\n",
  'members/by-name/.env': 'SECRET=of-the-member',
  'app/by-name/route.ts': `import { load } from 'loads-by-name'
export const dynamic = 'force-dynamic'
export const GET = () =>
  Response.json([load({ target: 'loaded-by-name' }), load({ target: 'member-by-name' })])
`,
  ...packageFiles('incomplete', {
    'index.js': `const { readFileSync } = require('node:fs')
exports.driver = () => require('a-driver-that-nobody-has')
exports.file = () => readFileSync(require('node:path').join(__dirname, 'absent.txt'))
`,
  }),
  ...Object.fromEntries(
    ['driver', 'file'].map((part) => [
      `app/incomplete/${part}/route.ts`,
      `import { ${part} } from 'incomplete'
export const dynamic = 'force-dynamic'
export const GET = () => Response.json(${part}())
`,
    ]),
  ),
  ...Object.fromEntries(
    importers.flatMap((importer) => [
      [
        `app/${importer}/package.json`,
        JSON.stringify({ private: true, type: importer === 'module' ? 'module' : undefined }),
      ],
      [
        `app/${importer}/asNode.js`,
        importingModule({ forBrowsers: false, hasRuntimeNames: false }),
      ],
      [
        `app/${importer}/serverFacts.js`,
        importingModule({ forBrowsers: false, hasRuntimeNames: true }),
      ],
      [
        `app/${importer}/browserFacts.js`,
        importingModule({ forBrowsers: true, hasRuntimeNames: true }),
      ],
      [
        `app/${importer}/page.tsx`,
        `import { Show } from './show.tsx'
export const dynamic = 'force-dynamic'
export default () => <Show />
`,
      ],
      [
        `app/${importer}/show.tsx`,
        `'use client'
import { facts } from './browserFacts.js'
import { useEffect, useState } from 'react'
export function Show() {
  const [text, setText] = useState('')
  useEffect(() => setText(JSON.stringify(facts)), [])
  return <><pre id="server">{JSON.stringify(facts)}</pre><pre id="browser">{text}</pre></>
}
`,
      ],
      [
        `app/${importer}/facts/route.ts`,
        `import { facts } from '../serverFacts.js'
export const dynamic = 'force-dynamic'
export const GET = () => Response.json(facts)
`,
      ],
    ]),
  ),
}

const links = {
  ...shapeLinks(),
  'node_modules/loaded-by-name': 'node_modules/.store/node_modules/loaded-by-name',
  'node_modules/member-by-name': 'members/by-name',
}

const loadedByName = ['loaded with its dependency', 'loaded from a member']

const namesForBrowsers = new Set(
  places.flatMap((place) =>
    moduleShapes
      .filter((shape) => isForBrowsers(shape, place))
      .map(({ name }) => `${place} ${name}`),
  ),
)

/** Selects the facts that must be the same in a browser. */
function forBrowsers(facts: Facts, mode: Mode): Facts {
  const entries = Object.entries(facts).filter(([name]) => namesForBrowsers.has(name))
  // In development, Vite gives an importer without `type` no default export from these two
  // packages.
  const hasDefault = (name: string) =>
    mode === 'production' || !/compiled-(?:names|star)/.test(name)
  return Object.fromEntries(
    entries.map(([name, { default: exported, ...names }]) => [
      name,
      hasDefault(name) ? { ...names, default: exported } : names,
    ]),
  )
}

/** Imports the modules in Node without a bundler, and returns the resulting facts. */
async function nodeFacts(root: string): Promise<Facts> {
  const url = pathToFileURL(join(root, 'app/module/asNode.js')).href
  const code = `import { facts } from ${JSON.stringify(url)}; console.log(JSON.stringify(facts))`
  const { output, exitCode } = await run(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', code],
    { cwd: root, env: appEnv(), quiet: true },
  )
  if (exitCode !== 0) throw new Error(output)
  return JSON.parse(output)
}

async function expectedFacts(root: string, importer: (typeof importers)[number]): Promise<Facts> {
  const facts = await nodeFacts(root)
  for (const { name, runtimeNames = {}, compiledDefault } of moduleShapes) {
    for (const place of places) {
      const runtimeValues = Object.entries(runtimeNames).map(([key, text]) => [
        key,
        JSON.parse(text),
      ])
      const ofCompiled =
        compiledDefault && importer === 'untyped' ? { default: JSON.parse(compiledDefault) } : {}
      Object.assign(facts[`${place} ${name}`] ?? {}, Object.fromEntries(runtimeValues), ofCompiled)
    }
  }
  return facts
}

describeModes(
  'a module of each shape is imported as in Node',
  { app: 'basic', files, links },
  (served) => {
    test.each(importers)('by server code with the type %s', async (importer) => {
      const response = await served.fetch(`/${importer}/facts`)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual(await expectedFacts(served.app.root, importer))
    })

    test.each(importers)('by a client component with the type %s', async (importer) => {
      const expected = forBrowsers(await expectedFacts(served.app.root, importer), served.mode)
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto(`/${importer}`)
      const factsIn = async (id: string) => {
        const text = await page.locator(id).textContent()
        return forBrowsers(JSON.parse(text || '{}'), served.mode)
      }
      expect(await factsIn('#server')).toEqual(expected)
      await expect.poll(() => factsIn('#browser')).toEqual(expected)
      expectQuietConsole()
    })

    test('a package finds a module that its caller names', async () => {
      const response = await served.fetch('/by-name')
      expect(await response.json()).toEqual(loadedByName)
    })

    test.each([
      ['driver', 'The package a-driver-that-nobody-has is missing. Install it'],
      ['file', 'A file of the package incomplete is missing.'],
      ['file', "ssr: { external: ['incomplete'] }"],
    ])('the log says what to do about a missing %s', async (part, hint) => {
      const response = await served.fetch(`/incomplete/${part}`)
      expect(response.status).toBe(500)
      // Expect the hint in development only, where the overlay's HTML contains it.
      expect((await response.text()).includes(hint)).toBe(served.mode === 'dev')
      await expect.poll(() => served.app.logs()).toContain(hint)
    })

    test.skipIf(served.mode === 'dev')(
      'by a build that runs where nothing else is installed',
      async () => {
        const empty = mkdtempSync(join(tmpdir(), 'waymark-alone-'))
        onTestFinished(() => rmSync(empty, { recursive: true, force: true }))
        const copying = { recursive: true, verbatimSymlinks: true }
        cpSync(join(served.app.root, '.waymark'), join(empty, 'built'), copying)
        const copied = join(empty, 'built/node_modules')
        expect(existsSync(join(copied, 'installed-common-data/data/word.txt'))).toBe(true)
        expect(existsSync(join(copied, 'installed-common-data/lib/index.d.ts'))).toBe(false)
        expect(existsSync(join(copied, 'member-by-name/.env'))).toBe(false)
        const port = await freePort()
        const origin = `http://localhost:${port}`
        const server = await startServer({
          args: ['built/server.js', '--port', `${port}`],
          cwd: empty,
          env: appEnv(),
          listening: origin,
          startWithinMs: 60_000,
        })
        for (const importer of importers) {
          const response = await fetch(`${origin}/${importer}/facts`)
          expect(await response.json()).toEqual(await expectedFacts(served.app.root, importer))
        }
        const byName = await fetch(`${origin}/by-name`)
        expect(await byName.json()).toEqual(loadedByName)
        await server.stop()
      },
    )
  },
)
