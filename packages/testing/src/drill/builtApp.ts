import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JournalEntry } from 'waymark/drivers'
import {
  type BuildManifest,
  buildLayout,
  readOwnBuildManifest,
  readPrerenderedManifest,
} from 'waymark/plugin/node'

/** What a cache was given while an app ran. */
export type CacheWrite = {
  readonly key: string
  readonly tags: readonly string[]
  /** Seconds after which it is refreshed; `null`: only a tag does that. */
  readonly revalidateSeconds: number | null
}

/** What the program that serves a build for tests says. */
export type ServerMessage =
  | { readonly kind: 'listening'; readonly origin: string }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'thrown'; readonly entry: JournalEntry }
  | { readonly kind: 'cached'; readonly write: CacheWrite }
  /** All that came before this has been said. */
  | { readonly kind: 'synced'; readonly id: number }

/** What is said to it: every message has its answer, `synced`. */
export type TestMessage = { readonly id: number; readonly advanceMs?: number }

/** How a build is served. */
export type ServeOptions = {
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** What a clock that can be set ahead says at its start: since the epoch, or `null` for the true time. */
  readonly startMs?: number | null
}

/** A build that is being served, on the loopback address, by a process of its own. */
export type ServedBuild = {
  /** `http://localhost:PORT` */
  readonly origin: string
  readonly thrown: readonly JournalEntry[]
  readonly cached: readonly CacheWrite[]
  /** Resolves once `thrown` and `cached` hold what happened before. */
  sync(): Promise<void>
  /** Sets the clock ahead, where it can be. */
  advance(ms: number): Promise<void>
  /** What the process has printed. */
  log(): string
  stop(): Promise<void>
}

/** The facts of a build. @throws `NO_BUILD`, `OTHER_BUILD` */
export function readBuild(root: string): { manifest: BuildManifest; pathnames: string[] } {
  const folder = join(root, buildLayout.folder)
  const manifest = readOwnBuildManifest(folder)
  const { files, shells } = readPrerenderedManifest(join(folder, buildLayout.prerendered))
  return { manifest, pathnames: [...Object.keys(files), ...Object.keys(shells ?? {})] }
}

// What Vitest sets for itself would change how an app runs.
const runnerNames = /^(VITEST.*|TEST|NODE_ENV|NODE_OPTIONS|MODE|DEV|PROD|SSR|BASE_URL|PORT|HOST)$/
const startMs = 30_000
const stopMs = 5_000

/**
 * Serves the build in a folder. Journal and cache are in memory, and empty: nothing of a run is
 * left for the next.
 * @throws `NO_BUILD`, `OTHER_BUILD`; an `Error` with the output where the app does not start
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
  const origin = await originOf(child).catch(async (error: Error) => {
    await end(child)
    throw new Error(`The app at ${root} does not start: ${error.message}\n${output}`)
  })
  return { origin, ...records, log: () => output, stop: () => end(child) }
}

function originOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not within ${startMs} ms`)), startMs)
    const settle = (act: () => void) => {
      clearTimeout(timer)
      act()
    }
    child.on('message', (message: ServerMessage) => {
      if (message.kind === 'listening') settle(() => resolve(message.origin))
      if (message.kind === 'failed') settle(() => reject(new Error(message.text)))
    })
    child.on('error', (error) => settle(() => reject(error)))
    child.on('exit', (code) => settle(() => reject(new Error(`its process ended with ${code}`))))
  })
}

function recordMessages(
  child: ChildProcess,
): Pick<ServedBuild, 'thrown' | 'cached' | 'sync' | 'advance'> {
  const thrown: JournalEntry[] = []
  const cached: CacheWrite[] = []
  const waiting = new Map<number, () => void>()
  let last = 0
  child.on('message', (message: ServerMessage) => {
    if (message.kind === 'thrown') thrown.push(message.entry)
    if (message.kind === 'cached') cached.push(message.write)
    if (message.kind === 'synced') waiting.get(message.id)?.()
  })
  child.on('exit', () => {
    for (const resolve of waiting.values()) resolve()
  })
  const send = async (message: Omit<TestMessage, 'id'>) => {
    if (!child.connected) return
    const id = ++last
    const synced = new Promise<void>((resolve) => waiting.set(id, resolve))
    child.send({ ...message, id } satisfies TestMessage, () => {})
    await synced
    waiting.delete(id)
  }
  return { thrown, cached, sync: () => send({}), advance: (advanceMs) => send({ advanceMs }) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(timer)
}
