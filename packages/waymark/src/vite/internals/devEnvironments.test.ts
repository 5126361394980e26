import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { findSourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  createLogger,
  createServer,
  isRunnableDevEnvironment,
  type Logger,
  type Plugin,
} from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFailureLog } from '../dev/devLog.ts'
import { explainFetch, explainTransform } from '../dev/moduleErrors.ts'
import { missingExport } from '../dev/sourceChecks.ts'
import { devEnvironmentsPlugin } from './devEnvironments.ts'

async function serve(
  customLogger: Logger = createLogger('silent'),
  folder = 'app',
  plugins: readonly Plugin[] = [],
) {
  const parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'waymark-environments-')))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const root = path.join(parent, folder)
  mkdirSync(root)
  writeFileSync(path.join(root, 'changed.js'), 'export const loaded = {}')
  writeFileSync(path.join(root, 'other.js'), 'export const loaded = {}')
  const server = await createServer({
    root,
    configFile: false,
    customLogger,
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    environments: { rsc: {} },
    plugins: [
      ...plugins,
      devEnvironmentsPlugin(
        createFailureLog(() => root),
        { missingExport, explainTransform, explainFetch },
      ),
    ],
  })
  onTestFinished(() => server.close())
  const { rsc, ssr, client } = server.environments
  if (!rsc || !isRunnableDevEnvironment(rsc) || !ssr) throw new Error('Not runnable.')
  return { rsc, ssr, client, root, server }
}

/** Serves `slow.js`, which exports the number of its loads. All loads wait for `release`. */
async function serveSlowModule() {
  let loads = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const plugin: Plugin = {
    name: 'slow',
    resolveId: (id) => (id.endsWith('slow.js') ? '/slow.js' : null),
    async load(id) {
      if (id !== '/slow.js') return null
      const code = `export const count = ${++loads}`
      await released
      return code
    },
  }
  const served = await serve(undefined, undefined, [plugin])
  return { ...served, loads: () => loads, release }
}

test('the server environments can run modules, as plugin-rsc expects', async () => {
  const { rsc, ssr } = await serve()
  expect(isRunnableDevEnvironment(ssr)).toBe(true)
  expect(await rsc.runner.import('/changed.js')).toHaveProperty('loaded')
})

test("a browser can't fetch the server's modules through the WebSocket", async () => {
  const { client, root } = await serve()
  const fetched = client.fetchModule(path.join(root, 'changed.js'))
  await expect(fetched).rejects.toThrow('fetchModule is disabled')
})

test('a full reload evaluates only changed modules again', async () => {
  const { rsc, root } = await serve()
  const load = async (file: string) => (await rsc.runner.import(file)).loaded
  const before = { changed: await load('/changed.js'), other: await load('/other.js') }
  for (const module of rsc.moduleGraph.getModulesByFile(path.join(root, 'changed.js')) ?? []) {
    rsc.moduleGraph.invalidateModule(module)
  }
  rsc.hot.send({ type: 'full-reload' })
  expect(await load('/changed.js')).not.toBe(before.changed)
  expect(await load('/other.js')).toBe(before.other)
})

test('a module that failed is read again by the next import', async () => {
  const { rsc, root } = await serve()
  const file = path.join(root, 'entry.js')
  writeFileSync(file, "import './broken.js'\nexport const loaded = 'entry'")
  const load = () => rsc.runner.import('/entry.js')
  await expect(load()).rejects.toThrow('broken.js')
  writeFileSync(path.join(root, 'broken.js'), "throw new Error('too early')")
  await expect(load()).rejects.toThrow('too early')
  writeFileSync(path.join(root, 'broken.js'), '')
  expect(await load()).toMatchObject({ loaded: 'entry' })
  expect(await load()).toBe(await load())
})

test('a module that changes while it is fetched has its new code in all importers', async () => {
  const { rsc, root, loads, release } = await serveSlowModule()
  writeFileSync(path.join(root, 'first.js'), "export * from './slow.js'")
  writeFileSync(path.join(root, 'second.js'), "export * from './slow.js'")
  const first = rsc.runner.import('/first.js')
  await vi.waitFor(() => expect(loads()).toBe(1))
  const slow = await rsc.moduleGraph.getModuleByUrl('/slow.js')
  if (slow) rsc.moduleGraph.invalidateModule(slow)
  const second = rsc.runner.import('/second.js')
  await vi.waitFor(() => expect(rsc.moduleGraph.urlToModuleMap.has('/second.js')).toBe(true))
  release()
  expect([(await first).count, (await second).count]).toEqual([2, 2])
})

test('a module that fails in a package without side effects only fails where it is used', async () => {
  const { rsc, root } = await serve()
  const folder = path.join(root, 'node_modules/kit')
  mkdirSync(folder, { recursive: true })
  const files = {
    'package.json': '{ "name": "kit", "type": "module", "sideEffects": false }',
    'index.js': "export * from './theme.js'\nexport const plain = 'plain'",
    'theme.js':
      "export const Theme = createTheme()\nfunction createTheme() { throw new Error('no theme') }",
    'needsFile.js': "import './missing.js'\nexport const needs = 1",
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text)
  const kit = await rsc.runner.import('/node_modules/kit/index.js')
  expect(kit.plain).toBe('plain')
  expect(() => kit.Theme).toThrow('no theme')
  await expect(rsc.runner.import('/node_modules/kit/needsFile.js')).rejects.toThrow('missing.js')
})

test.each(['app', 'my app', "Tom's (new) app", 'a%20b', 'a\tb', 'über 日本'])(
  'Node finds the source map of a module in the folder %j',
  async (folder) => {
    const { rsc, root } = await serve(undefined, folder)
    await rsc.runner.import('/changed.js')
    const file = path.join(root, 'changed.js')
    expect(findSourceMap(file)?.payload.sourcesContent).toEqual(['export const loaded = {}'])
  },
)

test("errors are logged once with the overlay's message, and other text unchanged", async () => {
  const logger = { ...createLogger('silent'), error: vi.fn<Logger['error']>() }
  const { server } = await serve(logger)
  const error = new Error('broken')
  for (const message of ['Internal server error: broken', 'Pre-transform error: broken']) {
    server.config.logger.error(message, { error })
  }
  server.config.logger.error('plain')
  const printed = logger.error.mock.calls.map(([text]) => text)
  expect(printed).toEqual([expect.stringContaining('broken'), 'plain'])
  expect(printed[0]).not.toContain('Internal server error')
})

test("an import of a name that a file doesn't export is refused with that name", async () => {
  const { rsc, root } = await serve()
  const text =
    "import { loaded, missing } from './changed.js'\nexport const both = [loaded, missing]"
  writeFileSync(path.join(root, 'imports.js'), text)
  await expect(rsc.runner.import('/imports.js')).rejects.toMatchObject({
    message: expect.stringContaining('missing'),
    loc: { file: path.join(root, 'imports.js'), line: 1 },
  })
})
