import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppMap, adminRole, barrierPath, mountedAt, watch } from './appMap.ts'
import type { Subscriptions } from './attackSource.ts'
import { createClient } from './exchange.ts'
import { followJournal, readReport, type Stored } from './journalFiles.ts'
import { type AttackRequest, encodeRequest } from './request.ts'
import { dataTarget } from './targets.ts'
import type { Forwarded, Upstream } from './upstream.ts'

/** A report from an action or from a page that fails on purpose. */
export type Seen = {
  readonly name: string
  readonly request: string | null
  readonly isAdmin: boolean
  readonly argumentCount: number
}

/** A process that serves an app. */
export type ServedProcess = {
  readonly pid: number
  exitCode(): number | null
  logs(): string
  stop(): Promise<void>
  kill(): Promise<void>
}

/** The server under attack, which can be restarted. */
export type Target = {
  readonly port: number
  readonly map: AppMap
  readonly pid: () => number
  /** True if the server accepts connections. False while the server is shutting down. */
  isServing(): Promise<boolean>
  logs(): string
  /** Kills the server if it is running, and starts a new one. */
  restart(): Promise<void>
  /** Stops the server gracefully, so that it stores its counts, and starts a new one. */
  flush(): Promise<void>
  /** Stops the server. */
  end(): Promise<void>
  /** Returns the actions' reports since the last call, or `null` if the server doesn't respond. */
  takeSeen(): Promise<Seen[] | null>
  /** Returns the requests that the app has forwarded since the last call. */
  takeForwarded(): Forwarded[]
  /** Returns the first lines of errors that the app has reported since the last call. */
  takeJournal(): string[]
  /** Returns the journal records since the last call, and the current metrics. */
  takeStored(): Promise<Stored>
  /** Returns the output of `waymark arrivals`, both as JSON and as a page. */
  report(): Promise<string>
  /** Returns the ids of the app's actions by name. */
  actionIds(): Promise<Record<string, string>>
  /** Returns the subscriptions of the app's live pages. */
  subscriptions(): Promise<Subscriptions>
  /** Counts the slots for concurrent requests that are occupied although no request is running. */
  countHeldSlots(): Promise<number>
  /** Returns the processor time that the server has used, in milliseconds. */
  cpuMs(): number
  /**
   * Returns the server's resident memory in megabytes, or 0 if the operating system doesn't report
   * it.
   */
  residentMb(): number
}

/** Default number of requests that a server handles at the same time. */
export const slotCount = 1000

export type TargetOptions = {
  readonly map: AppMap
  readonly port: number
  /** Folder of the built app. */
  readonly root: string
  /** Starts a server process that listens on `port`. */
  readonly start: () => Promise<ServedProcess>
  /** Servers to which the app's rules forward requests. */
  readonly upstream?: Upstream
}

// A log line has the digest, the phase, the method and the path.
const journalLine = /^[\da-z]{4}-[\da-z]{4}-[\da-z]{3} (.*)$/gm

/** Creates a target and starts its server. */
export async function createTarget(options: TargetOptions): Promise<Target> {
  const { map, port, root, start, upstream } = options
  const journal = followJournal(root)
  let served = await start()
  let readLogs = 0
  let usedMs = 0
  // The subscriptions stay valid after a restart, because their key belongs to the build.
  let sealed: Promise<Subscriptions> | null = null
  const cpuMs = () => usedMs + (served.exitCode() === null ? readCpuMs(served.pid) : 0)

  async function restart(end: (server: ServedProcess) => Promise<void>): Promise<void> {
    usedMs = cpuMs()
    await end(served)
    served = await start()
    readLogs = 0
  }

  return {
    port,
    map,
    pid: () => served.pid,
    isServing: async () =>
      served.exitCode() === null && (await ask(port, '/_waymark/health/live')).status === 200,
    logs: () => served.logs(),
    restart: () => restart((server) => server.kill()),
    flush: () => restart((server) => server.stop()),
    end: () => served.kill(),
    cpuMs,
    residentMb: () => readResidentMb(served.pid),
    takeSeen: async () => (await askWatch(port, map))?.seen ?? null,
    takeForwarded: () => upstream?.take() ?? [],
    takeJournal() {
      const logs = served.logs()
      const fresh = logs.slice(readLogs, logs.lastIndexOf('\n') + 1)
      readLogs += fresh.length
      return [...fresh.matchAll(journalLine)].map(([, line = '']) => line)
    },
    async takeStored() {
      // Wait for the journal, which collects records for a short time before it writes them.
      await sleep(journalMs)
      const headers: AttackRequest['headers'] = [['authorization', `Bearer ${metricsToken}`]]
      const { text } = await ask(port, '/_waymark/metrics', headers)
      return { records: journal.take(), metrics: text }
    },
    report: () => readReport(root),
    async actionIds() {
      const answer = await askWatch(port, map)
      if (answer === null) throw new Error('The fixture did not return the names of its actions.')
      return answer.ids
    },
    subscriptions() {
      sealed ??= readSubscriptions(port, map)
      return sealed
    },
    countHeldSlots: () => countHeldSlots(port, mountedAt(map, barrierPath)),
  }
}

const journalMs = 120

/** Token that a server requires before it returns its metrics. */
export const metricsToken = 'token-of-the-adversary'

type WatchAnswer = { readonly seen: Seen[]; readonly ids: Record<string, string> }

async function askWatch(port: number, map: AppMap): Promise<WatchAnswer | null> {
  const { status, text } = await ask(port, mountedAt(map, watch.path), [
    [watch.header, watch.secret],
  ])
  return status === 200 ? (JSON.parse(text) as WatchAnswer) : null
}

/** Reads the sealed subscriptions from the data of the app's live pages. */
async function readSubscriptions(port: number, map: AppMap): Promise<Subscriptions> {
  const read = async (path: string, headers: AttackRequest['headers'] = []) => {
    const { text } = await ask(port, map.base + dataTarget(path), headers)
    const [, row] = /\b7e000000:(\[.*\])\n/.exec(text) ?? []
    if (row === undefined) throw new Error(`${path} of ${map.name} isn't a live page.`)
    return JSON.parse(row)[2] as string
  }
  const adminHeaders: AttackRequest['headers'] = [['cookie', `role=${adminRole}`]]
  const { visitor, admin } = map.livePages
  return {
    visitor: await Promise.all(visitor.map((path) => read(path))),
    admin: await Promise.all(admin.map((path) => read(path, adminHeaders))),
  }
}

/**
 * Occupies all slots at the same time, over a few connections. This works because a server starts a
 * request before it has answered earlier ones on the same connection. If a request is refused,
 * something else occupies a slot.
 */
async function countHeldSlots(port: number, path: string): Promise<number> {
  for (let run = 0; ; run++) {
    const counts = await Promise.all(
      Array.from({ length: pipelines }, () => askBarrier(port, path)),
    )
    const [passed = 0, refused = 0] = ['passed', 'refused'].map((name) =>
      counts.reduce((sum, count) => sum + count[name as keyof BarrierCount], 0),
    )
    // Try again, because some requests may be late on a busy machine.
    if (passed + refused === slotCount || run === barrierRuns) return refused
  }
}

type BarrierCount = { readonly passed: number; readonly refused: number }

const pipelines = 20
const barrierRuns = 3
const barrierWithinMs = 30_000
const statusLine = 'HTTP/1.1 '

/** Sends a number of barrier requests on one connection. */
function askBarrier(port: number, path: string): Promise<BarrierCount> {
  const count = slotCount / pipelines
  const { bytes } = encodeRequest(plainGet(port, `${path}?size=${slotCount}`))
  return new Promise((resolve) => {
    let text = ''
    const countOf = (line: string) => text.split(line).length - 1
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(Buffer.concat(Array.from({ length: count }, () => bytes)))
    })
    const timer = setTimeout(() => socket.destroy(), barrierWithinMs)
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
      if (countOf(statusLine) === count) socket.end()
    })
    // After an error, count only the responses that have already arrived.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve({ passed: countOf(`${statusLine}200`), refused: countOf(`${statusLine}503`) })
    })
  })
}

async function ask(
  port: number,
  target: string,
  headers: AttackRequest['headers'] = [],
): Promise<{ status: number; text: string }> {
  const client = createClient({ port, withinMs: 10_000 })
  const { response } = await client.exchange(plainGet(port, target, headers))
  client.close()
  return { status: response?.status ?? 0, text: response?.text ?? '' }
}

/** Creates an ordinary GET request. */
export function plainGet(
  port: number,
  target: string,
  headers: AttackRequest['headers'] = [],
): AttackRequest {
  return {
    label: 'plain',
    method: 'GET',
    target,
    body: { kind: 'none' },
    isChunked: false,
    headers: [['host', `localhost:${port}`], ...headers],
    behaviour: 'stays',
  }
}

/**
 * Waits until a condition is met or the time is over.
 * @returns true if the condition was met in time
 */
export async function holdsWithin(
  withinMs: number,
  condition: () => Promise<boolean>,
): Promise<boolean> {
  const endMs = performance.now() + withinMs
  for (;;) {
    if (await condition()) return true
    if (performance.now() > endMs) return false
    await sleep(250)
  }
}

// proc(5), /proc/pid/stat: utime and stime are fields 12 and 13 after the process name in brackets.
function readCpuMs(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick
  } catch {
    // Measure nothing if the process has ended, or if the system has no /proc.
    return 0
  }
}

const millisecondsPerTick = 10

// proc(5), /proc/pid/status: the line VmRSS is the resident memory, in kB.
function readResidentMb(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}
