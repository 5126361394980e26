import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuiltPages } from 'waymark/adapter'
import {
  type CacheDriver,
  createMemoryDriver,
  createMemoryJournal,
  type JournalDriver,
} from 'waymark/drivers'
import {
  createNodeServer,
  type ListenerOptions,
  loadStaticFiles,
  type StaticFilesOptions,
} from 'waymark/node'
import { buildLayout, type FindCached, loadEnvFiles } from 'waymark/plugin/node'
import type { ServerMessage, TestMessage } from './builtApp.ts'
import { installFakeClock } from './fakeClock.ts'

// The program that `serveBuild` starts. It serves one build, reports errors and cache writes, and
// exits when its parent process exits.

/** The exports of the built server that this program uses. */
type ServerEntry = Pick<ListenerOptions, 'handle' | 'screen'> & {
  readonly basePath: string
  readonly trailingSlash: boolean
  readonly defaultHeaders: StaticFilesOptions['headers'] & object
  isProxiedFile(pathname: string): boolean
  readonly endpointPaths: readonly string[]
  readonly prerenderer: { isGuarded(pathname: string): boolean }
  readonly findCached: FindCached
  attachBuilt(pages: BuiltPages): void
  attachJournal(driver: JournalDriver): void
  attachCache(driver: CacheDriver): void
  register(): Promise<void>
}

// Install the fake clock before importing modules that may keep a reference to the real one.
const [, , root = '.', startMs] = process.argv
const clock = startMs === undefined ? null : installFakeClock(JSON.parse(startMs))
const say = (message: ServerMessage) => void process.send?.(message, () => {})

async function serve(root: string): Promise<void> {
  process.env.NODE_ENV = 'production'
  loadEnvFiles(root, process.env.WAYMARK_MODE_OF_BUILD ?? 'production', process.env)
  const folder = join(root, buildLayout.folder)
  const entry: ServerEntry = await import(pathToFileURL(join(folder, buildLayout.serverEntry)).href)
  entry.attachJournal(reportingJournal())
  entry.attachCache(reportingCache())
  await entry.register()
  const staticFiles = loadStaticFiles({
    dirs: [join(folder, buildLayout.client)],
    headers: entry.defaultHeaders,
    isProxied: entry.isProxiedFile,
    prerendered: join(folder, buildLayout.prerendered),
    findCached: entry.findCached,
    onError: console.error,
  })
  entry.attachBuilt(staticFiles)
  const { handle, screen, basePath, trailingSlash } = entry
  const server = createNodeServer({
    host: 'localhost',
    port: 0,
    handle,
    screen,
    basePath,
    trailingSlash,
    staticFiles,
  })
  const { port } = await server.listen()
  process.on('SIGTERM', () => process.exit(0))
  isProxied = entry.prerenderer.isGuarded
  say({
    kind: 'listening',
    origin: `http://localhost:${port}`,
    endpoints: entry.endpointPaths,
  })
}

function reportingJournal(): JournalDriver {
  const driver = createMemoryJournal()
  return {
    ...driver,
    write(record) {
      driver.write(record)
      if (record.kind === 'error') say({ kind: 'thrown', entry: record })
    },
  }
}

function reportingCache(): CacheDriver {
  const driver = createMemoryDriver()
  return {
    ...driver,
    set(key, entry) {
      driver.set(key, entry)
      const { tags, storedAtMs, revalidateAtMs } = entry
      const revalidateSeconds =
        revalidateAtMs === null ? null : Math.round((revalidateAtMs - storedAtMs) / 1000)
      say({ kind: 'cached', write: { key, tags, revalidateSeconds } })
    },
  }
}

process.on('disconnect', () => process.exit(0))
let isProxied: (pathname: string) => boolean = () => false

process.on('message', ({ id, advanceMs = 0, pathnames = [] }: TestMessage) => {
  if (advanceMs > 0) clock?.advance(advanceMs)
  say({ kind: 'synced', id, proxied: pathnames.map((each) => isProxied(each)) })
})
for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(name, (thrown: unknown) => console.error(thrown))
}
serve(root).catch((error: unknown) => {
  say({ kind: 'failed', text: error instanceof Error ? error.message : String(error) })
})
