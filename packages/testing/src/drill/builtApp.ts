import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JournalEntry } from 'waymark/drivers'
import {
  type BuildManifest,
  buildLayout,
  readCompatibleManifest,
  readPrerenderedManifest,
} from 'waymark/plugin/node'

/** An entry that the app wrote to its cache. */
export type CacheWrite = {
  readonly key: string
  readonly tags: readonly string[]
  /** Seconds after which the entry is refreshed. `null` if only a tag refreshes it. */
  readonly revalidateSeconds: number | null
}

/** Messages from the process that serves a build for tests. */
export type ServerMessage =
  | { readonly kind: 'listening'; readonly origin: string; readonly endpoints: readonly string[] }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'thrown'; readonly entry: JournalEntry }
  | { readonly kind: 'cached'; readonly write: CacheWrite }
  /** Reply to a `TestMessage`: all earlier messages have been sent. */
  | { readonly kind: 'synced'; readonly id: number; readonly proxied?: readonly boolean[] }

/**
 * Message to the process that serves a build for tests. The process always replies with `synced`.
 */
export type TestMessage = {
  readonly id: number
  readonly advanceMs?: number
  /** Paths for which to tell if proxy.ts runs. */
  readonly pathnames?: readonly string[]
}

/** Options for serving a build. */
export type ServeOptions = {
  /** Environment variables for the app, in addition to this process's own. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * Start time of the fake clock in milliseconds since the epoch; `null` for the current time.
   * Without this option, there is no fake clock, and time can't be advanced.
   */
  readonly startMs?: number | null
}

/** A build that a separate process serves on the loopback address. */
export type ServedBuild = {
  /** Origin of the app: `http://localhost:PORT`. */
  readonly origin: string
  /** Paths of the packages' endpoints, without the base path. */
  readonly endpoints: readonly string[]
  readonly thrown: readonly JournalEntry[]
  readonly cached: readonly CacheWrite[]
  /** Resolves once `thrown` and `cached` contain everything that has happened so far. */
  sync(): Promise<void>
  /** Advances the fake clock by milliseconds. */
  advance(ms: number): Promise<void>
  /**
   * Tells for each path of a page if proxy.ts, or `around` in server.ts, runs before the page.
   * @param pathnames paths without the base path
   */
  proxied(pathnames: readonly string[]): Promise<readonly boolean[]>
  /** Returns everything that the process has printed. */
  log(): string
  stop(): Promise<void>
}

/** Reads the facts of a build. @throws `NO_BUILD`, `OTHER_BUILD` */
export function readBuild(root: string): { manifest: BuildManifest; pathnames: string[] } {
  const folder = join(root, buildLayout.folder)
  const manifest = readCompatibleManifest(folder)
  const { files, shells } = readPrerenderedManifest(join(folder, buildLayout.prerendered))
  return { manifest, pathnames: [...Object.keys(files), ...Object.keys(shells ?? {})] }
}

// Names of the variables that Vitest sets. They would change how an app runs, so they aren't passed
// on.
const runnerNames = /^(VITEST.*|TEST|NODE_ENV|NODE_OPTIONS|MODE|DEV|PROD|SSR|BASE_URL|PORT|HOST)$/
const startMs = 30_000
const stopMs = 5_000

/**
 * Serves the build in a folder. The journal and the cache are in memory, so each run starts empty.
 * @throws `NO_BUILD`, `OTHER_BUILD`; Error with the app's output if the app doesn't start
 */
export async function serveBuild(
  root: string,
  { env, startMs }: ServeOptions = {},
): Promise<ServedBuild> {
  const { manifest } = readBuild(root)
  const inheritedEnv = Object.entries(process.env).filter(([name]) => !runnerNames.test(name))
  const program = fileURLToPath(new URL('./builtAppProgram.js', import.meta.url))
  const clock = startMs === undefined ? [] : [JSON.stringify(startMs)]
  const child = fork(program, [root, ...clock], {
    cwd: root,
    env: { ...Object.fromEntries(inheritedEnv), ...env, WAYMARK_MODE_OF_BUILD: manifest.mode },
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-100_000)
    })
  }
  const records = recordMessages(child)
  const listening = await whenListening(child).catch(async (error: Error) => {
    await endProcess(child)
    throw new Error(`The app at ${root} didn't start: ${error.message}\n${output}`)
  })
  return { ...listening, ...records, log: () => output, stop: () => endProcess(child) }
}

type Listening = Pick<ServedBuild, 'origin' | 'endpoints'>

function whenListening(child: ChildProcess): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it took longer than ${startMs} ms`)), startMs)
    const settle = (act: () => void) => {
      clearTimeout(timer)
      act()
    }
    child.on('message', (message: ServerMessage) => {
      if (message.kind === 'listening') settle(() => resolve(message))
      if (message.kind === 'failed') settle(() => reject(new Error(message.text)))
    })
    child.on('error', (error) => settle(() => reject(error)))
    child.on('exit', (code) =>
      settle(() => reject(new Error(`its process ended with exit code ${code}`))),
    )
  })
}

function recordMessages(
  child: ChildProcess,
): Pick<ServedBuild, 'thrown' | 'cached' | 'sync' | 'advance' | 'proxied'> {
  const thrown: JournalEntry[] = []
  const cached: CacheWrite[] = []
  const waiting = new Map<number, (proxied: readonly boolean[]) => void>()
  let last = 0
  child.on('message', (message: ServerMessage) => {
    if (message.kind === 'thrown') thrown.push(message.entry)
    if (message.kind === 'cached') cached.push(message.write)
    if (message.kind === 'synced') waiting.get(message.id)?.(message.proxied ?? [])
  })
  child.on('exit', () => {
    for (const resolve of waiting.values()) resolve([])
  })
  const send = async (message: Omit<TestMessage, 'id'>): Promise<readonly boolean[]> => {
    if (!child.connected) return []
    const id = ++last
    const replying = new Promise<readonly boolean[]>((resolve) => waiting.set(id, resolve))
    child.send({ ...message, id } satisfies TestMessage, () => {})
    const proxied = await replying
    waiting.delete(id)
    return proxied
  }
  return {
    thrown,
    cached,
    async sync() {
      await send({})
    },
    async advance(advanceMs) {
      await send({ advanceMs })
    },
    proxied: (pathnames) => send({ pathnames }),
  }
}

/** Ends a process. Kills it if it is still running after 5 s. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(timer)
}
