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

/** What an action, or a page that fails on purpose, says it has seen. */
export type Seen = {
  readonly name: string
  readonly request: string | null
  readonly isAdmin: boolean
  readonly argumentCount: number
}

/** A process that serves the fixture. */
export type ServedProcess = {
  readonly pid: number
  exitCode(): number | null
  logs(): string
  stop(): Promise<void>
  kill(): Promise<void>
}

/** The server under attack, which can be started anew. */
export type Target = {
  readonly port: number
  readonly map: AppMap
  readonly pid: () => number
  /** True if the server accepts connections. A server that is about to end does not. */
  isServing(): Promise<boolean>
  logs(): string
  /** Ends it, where it lives, and starts it again. */
  restart(): Promise<void>
  /** Ends it in order, so that it stores what it has counted, and starts it again. */
  flush(): Promise<void>
  /** Ends it for good. */
  end(): Promise<void>
  /** What was seen since it was asked last; `null` where the server does not say. */
  takeSeen(): Promise<Seen[] | null>
  /** What was forwarded since it was asked last. */
  takeForwarded(): Forwarded[]
  /** The first lines of errors that were reported since it was asked last. */
  takeJournal(): string[]
  /** What was written to its journal since it was asked last, and its metrics. */
  takeStored(): Promise<Stored>
  /** What `waymark arrivals` says, for machines and as a page. */
  report(): Promise<string>
  /** Ids of the fixture's actions by name. */
  actionIds(): Promise<Record<string, string>>
  /** Of the fixture's pages that are kept current. */
  subscriptions(): Promise<Subscriptions>
  /** How many of the requests that it runs at once are taken by nobody. */
  countHeldSlots(): Promise<number>
  /** Processor time that it has used, in milliseconds. */
  cpuMs(): number
  /** Resident memory of its process, in megabytes; 0 where the system does not tell. */
  residentMb(): number
}

/** Requests that a server runs at once, unless it is told otherwise. */
export const slotCount = 1000

/** What a target is made of. */
export type TargetOptions = {
  readonly map: AppMap
  readonly port: number
  /** The folder of the built app. */
  readonly root: string
  /** Starts a process on the port. */
  readonly start: () => Promise<ServedProcess>
  /** Where the app's rules lead. */
  readonly upstream?: Upstream
}

// A digest, what was being done, the method, the path.
const journalLine = /^[\da-z]{4}-[\da-z]{4}-[\da-z]{3} (.*)$/gm

/** Serves a target. */
export async function createTarget(options: TargetOptions): Promise<Target> {
  const { map, port, root, start, upstream } = options
  const journal = followJournal(root)
  let served = await start()
  let readLogs = 0
  let usedMs = 0
  // They outlive the process: its build has the key.
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
      // The journal waits a little for further records.
      await sleep(journalMs)
      const headers: AttackRequest['headers'] = [['authorization', `Bearer ${metricsToken}`]]
      const { text } = await ask(port, '/_waymark/metrics', headers)
      return { records: journal.take(), metrics: text }
    },
    report: () => readReport(root),
    async actionIds() {
      const answer = await askWatch(port, map)
      if (answer === null) throw new Error('The fixture does not name its actions.')
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

/** With it, a server says what it counts. */
export const metricsToken = 'token-of-the-adversary'

type WatchAnswer = { readonly seen: Seen[]; readonly ids: Record<string, string> }

async function askWatch(port: number, map: AppMap): Promise<WatchAnswer | null> {
  const { status, text } = await ask(port, mountedAt(map, watch.path), [
    [watch.header, watch.secret],
  ])
  return status === 200 ? (JSON.parse(text) as WatchAnswer) : null
}

/** Reads what the server has sealed into the data of pages. */
async function readSubscriptions(port: number, map: AppMap): Promise<Subscriptions> {
  const read = async (path: string, headers: AttackRequest['headers'] = []) => {
    const { text } = await ask(port, map.base + dataTarget(path), headers)
    const [, row] = /\b7e000000:(\[.*\])\n/.exec(text) ?? []
    if (row === undefined) throw new Error(`${path} of ${map.name} is no live page.`)
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
 * Asks for all slots at once, on a few connections: a server begins with a request before those
 * ahead of it on the connection are answered. Those that are refused found a slot taken by others.
 */
async function countHeldSlots(port: number, path: string): Promise<number> {
  for (let run = 0; ; run++) {
    const counts = await Promise.all(
      Array.from({ length: pipelines }, () => askBarrier(port, path)),
    )
    const [passed = 0, refused = 0] = ['passed', 'refused'].map((name) =>
      counts.reduce((sum, count) => sum + count[name as keyof BarrierCount], 0),
    )
    // A machine that is busy elsewhere may be late with some.
    if (passed + refused === slotCount || run === barrierRuns) return refused
  }
}

type BarrierCount = { readonly passed: number; readonly refused: number }

const pipelines = 20
const barrierRuns = 3
const barrierWithinMs = 30_000
const statusLine = 'HTTP/1.1 '

/** Sends the share of one connection. */
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
    // What failed counts by what came before.
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

/** A request that asks for nothing odd. */
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

/** Waits until a condition holds. @returns whether it did in time */
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

// proc(5), /proc/pid/stat: after the name in brackets, utime and stime are fields 12 and 13.
function readCpuMs(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick
  } catch {
    // It has ended since, or the system has no such file: then nothing is measured.
    return 0
  }
}

const millisecondsPerTick = 10

// proc(5), /proc/pid/status: the line VmRSS, in kB.
function readResidentMb(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}
