import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JournalDriver } from '../journal/driver.ts'
import { createFilesJournal } from '../journal/files.ts'
import { closeOnSignals } from '../node/closeOnSignals.ts'
import { loadEnvFiles } from '../node/envFiles.ts'
import type { ListenerOptions } from '../node/listener.ts'
import { createNodeServer } from '../node/serve.ts'
import { loadStaticFiles, type StaticFilesOptions } from '../node/staticFiles.ts'
import { type BuildFacts, buildLayout } from '../shared/build.ts'
import { frameworkError } from '../shared/errors.ts'
import type { Command } from './command.ts'
import { listenOptions } from './listenOptions.ts'
import { reportProcessErrors } from './processErrors.ts'
import { ownVersion } from './versions.ts'

/** What the built server exports. */
type ServerEntry = Pick<ListenerOptions, 'handle' | 'isRouted' | 'screen'> & {
  readonly defaultHeaders: StaticFilesOptions['headers'] & object
  attachJournal(driver: JournalDriver): void
  closeJournal(): Promise<void>
  /** The app's own part in starting: that of `instrumentation.ts`. */
  register(): Promise<void>
  reportOutside(thrown: unknown): string
}

/** Serves the built app. */
export const start: Command = async ({ options, terminal }) => {
  const root = resolve(options.folder ?? '.')
  const folder = join(root, buildLayout.folder)
  const facts = readFacts(folder)
  process.env.NODE_ENV = 'production'
  loadEnvFiles(root, options.mode ?? facts.mode, process.env)
  const address = listenOptions(options, process.env)
  const entry: ServerEntry = await import(pathToFileURL(join(folder, buildLayout.serverEntry)).href)
  const log = (line: string) => terminal.fail(line)
  entry.attachJournal(createFilesJournal({ folder: join(folder, buildLayout.journal), log }))
  await entry.register()
  const server = createNodeServer({
    ...address,
    handle: entry.handle,
    isRouted: entry.isRouted,
    drainDelayMs: options['drain-delay'],
    drainTimeoutMs: options['drain-timeout'],
    screen: entry.screen,
    staticFiles: loadStaticFiles({
      dirs: [join(folder, buildLayout.client)],
      headers: entry.defaultHeaders,
      prerendered: join(folder, buildLayout.prerendered),
      onError: (error) => terminal.failWith(error),
    }),
  })
  // What runs on after an exception may be half done: others start it anew, and lose no request.
  const end = async () => {
    await server.close()
    await entry.closeJournal()
    process.exit(1)
  }
  reportProcessErrors(terminal, { report: () => entry.reportOutside, onException: end })
  const { url } = await server.listen()
  closeOnSignals(server, { beforeExit: entry.closeJournal })
  terminal.print(`Waymark ${ownVersion()} serves ${terminal.paint.cyan(url)}`)
  return new Promise<never>(() => {})
}

/** @throws `NO_BUILD`, `OTHER_BUILD` */
function readFacts(folder: string): BuildFacts {
  const path = join(folder, buildLayout.facts)
  if (!existsSync(path)) throw frameworkError('NO_BUILD', { folder })
  const facts = JSON.parse(readFileSync(path, 'utf8')) as BuildFacts
  const own = ownVersion()
  if (facts.waymark !== own)
    throw frameworkError('OTHER_BUILD', { folder, built: facts.waymark, own })
  return facts
}
