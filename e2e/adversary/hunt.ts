import { setTimeout as sleep } from 'node:timers/promises'
import type { AttackSource } from './attackSource.ts'
import { attackAt } from './attacks.ts'
import { type Attack, type Attacked, type BatchOutcome, sendBatch } from './batch.ts'
import { addUnconfirmed, type Confirming, confirm } from './confirm.ts'
import { createFindings, type Finding, firstOfLabels } from './findings.ts'
import { lookAtStored } from './lookAtStored.ts'
import { looksLikeRaw, visitRaw } from './rawVisits.ts'
import { cpuBoundMs, sendAlone, slotWithinMs } from './replay.ts'
import { holdsWithin, type Seen, type Target } from './target.ts'
import { type Violation, violationsOf } from './violations.ts'

/** The options of a run. */
export type HuntOptions = {
  readonly source: AttackSource
  readonly target: Target
  /** Indexes of the requests to send, in order. */
  readonly indexes: readonly number[]
  /** Milliseconds after which no further request is sent. */
  readonly withinMs: number
  readonly onProgress?: (line: string) => void
}

/** The results of a run. */
export type HuntReport = {
  readonly requests: number
  /** Milliseconds spent on sending, not including the search for minimal requests. */
  readonly sendingMs: number
  /** Processor time of the server per request, in milliseconds. */
  readonly cpuMsPerRequest: number
  /**
   * Resident memory of the server in megabytes, after each hundredth of the run or after each batch.
   */
  readonly residentMb: readonly number[]
  /** Number of responses by status. 0 stands for requests without a response. */
  readonly statuses: Readonly<Record<number, number>>
  readonly findings: readonly Finding[]
  /**
   * Responses that were slow once, but not when the request was repeated. This also happens on a
   * busy machine.
   */
  readonly slow: readonly Finding[]
}

// A batch ends only when its slowest requests end, and the server delays some of them on purpose.
// Long batches with many concurrent requests spend a smaller share of their time waiting.
const batchSize = 2_000
const connections = 96
const slotsEvery = 4_000
const suspectsAtMost = 2 * connections
const slotSuspectsAtMost = 4

/**
 * Sends the requests of a run, and checks after each batch that the server did nothing forbidden.
 */
export async function hunt(options: HuntOptions): Promise<HuntReport> {
  const { target, indexes, withinMs, onProgress = () => {} } = options
  const count = indexes.length
  const findings = createFindings()
  const statuses: Record<number, number> = {}
  const residentMb: number[] = []
  const memoryEvery = Math.max(batchSize, Math.floor(count / 100 / batchSize) * batchSize)
  let requests = 0
  let sendingMs = 0
  let cpuMs = 0
  let unanswered: Attacked[] = []
  for (let at = 0; at < count && sendingMs < withinMs; at += batchSize) {
    const look = { ...options, findings }
    const beganMs = performance.now()
    const cpuBeganMs = target.cpuMs()
    const size = Math.min(batchSize, count - at)
    const attacks = attacksOf(look, indexes.slice(at, at + size))
    const batch = await sendBatch(target, attacks, connections)
    sendingMs += performance.now() - beganMs
    cpuMs += target.cpuMs() - cpuBeganMs
    requests += batch.attacked.length
    for (const { outcome } of batch.attacked) {
      const status = outcome.response?.status ?? 0
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    unanswered.push(...batch.attacked.filter(({ outcome }) => outcome.kind !== 'answered'))
    const listedCount = findings.list.length
    const isLast = at + size >= count
    const isFull = batch.attacked.some(({ outcome }) => outcome.response?.status === 503)
    if (!(await stillServes(look, batch))) unanswered = []
    await lookAtJournal(look, batch.attacked)
    await lookAtOutcomes(look, batch.attacked)
    await lookAtRaw(look, batch.attacked)
    await lookAtStalls(look, batch.stalled)
    if (isLast) await target.flush()
    await lookAtStored(look, attacksOf(look, indexes.slice(0, at + size)), isLast)
    // Repeating requests and opening browsers also write journal entries. These entries aren't
    // findings.
    target.takeJournal()
    if (isFull || isLast || (at + size) % slotsEvery === 0) {
      await lookAtSlots(look, unanswered)
      unanswered = []
    }
    if ((at + size) % memoryEvery === 0 || isLast) {
      residentMb.push(Math.round(target.residentMb()))
    }
    for (const { kind, detail, label, index, note } of findings.list.slice(listedCount)) {
      onProgress(`${requests} requests: ${[kind, detail, label, index, note].join(', ')}`)
    }
  }
  const { list, slow } = findings
  const cpuMsPerRequest = cpuMs / requests
  return { requests, sendingMs, cpuMsPerRequest, residentMb, statuses, findings: list, slow }
}

type Look = HuntOptions & Confirming

function* attacksOf({ source, findings }: Look, indexes: readonly number[]): Generator<Attack> {
  for (const index of indexes) {
    const request = attackAt(source, index)
    if (!findings.isMuted(request.label)) yield { index, request }
  }
}

/**
 * @returns true if the server still responds; if it doesn't, restarts the server and returns false
 */
async function stillServes(look: Look, { attacked, isRefused }: BatchOutcome): Promise<boolean> {
  const { target } = look
  if (!isRefused && (await target.isServing())) return true
  await target.restart()
  const isCut = ({ outcome }: Attacked) => outcome.kind === 'cut'
  const latest = attacked.toSorted((one, other) => other.endedMs - one.endedMs)
  const suspects = [...latest.filter(isCut), ...latest.filter((each) => !isCut(each))]
  for (const suspect of suspects.slice(0, suspectsAtMost)) {
    if (await confirm(look, ended, suspect)) return false
  }
  const [last] = suspects
  if (last) addUnconfirmed(look, ended, last)
  return false
}

const ended: Violation = { kind: 'the server ended', detail: '' }
const slow: Violation = { kind: 'too much processor time', detail: `over ${cpuBoundMs} ms` }
const held: Violation = { kind: 'a slot was held', detail: '' }

async function lookAtOutcomes(look: Look, attacked: readonly Attacked[]): Promise<void> {
  const { target, findings, source } = look
  // An action behind a slow guard starts only after its client has left.
  await sleep(20)
  const all = (await target.takeSeen()) ?? []
  const seen = new Map<string | null, Seen[]>()
  for (const each of all) seen.set(each.request, [...(seen.get(each.request) ?? []), each])
  const { map } = target
  const arrived = target.takeForwarded()
  for (const attack of attacked) {
    const ofAttack = seen.get(String(attack.index)) ?? []
    const forwarded = arrived.filter(({ request }) => request === String(attack.index))
    const { host, subscriptions } = source
    const around = { map, host, forwarded, subscriptions }
    for (const violation of violationsOf(attack.request, attack.outcome, ofAttack, around)) {
      if (findings.isListed(violation, attack.request.label)) continue
      // Skip responses with status 503, because `lookAtSlots` checks for slots that stay occupied.
      if (violation.kind === 'a server error' && violation.detail === '503') continue
      if (!(await confirm(look, violation, attack))) addUnconfirmed(look, violation, attack)
    }
  }
}

/** Checks if the app reported an error for a request that got a successful response. */
async function lookAtJournal(look: Look, attacked: readonly Attacked[]): Promise<void> {
  const { target, findings } = look
  // Log lines arrive through a pipe, with a short delay.
  await sleep(20)
  // Ignore reports from a browser that has opened a page with raw HTML, because they may arrive
  // later.
  const lines = new Set(target.takeJournal().filter((line) => !line.startsWith('browser ')))
  if (!target.map.isQuiet) return
  for (const line of lines) {
    const [phase = '', method, path = ''] = line.split(' ')
    const violation: Violation = { kind: 'a journal entry', detail: `${phase} ${pathOf(path)}` }
    const isNamed = ({ kind, detail }: Violation) =>
      kind === violation.kind && detail === violation.detail
    if (findings.list.some(isNamed)) continue
    const suspects = attacked.filter(
      ({ request }) => request.method === method && pathOf(request.target) === pathOf(path),
    )
    // Skip if a request got a server error, which is already a finding.
    if (suspects.some(({ outcome }) => (outcome.response?.status ?? 0) >= 500)) continue
    let isConfirmed = false
    for (const suspect of suspects.slice(0, journalSuspectsAtMost))
      isConfirmed ||= await confirm(look, violation, suspect)
    const [first] = suspects.length > 0 ? suspects : attacked
    if (!isConfirmed && first) addUnconfirmed(look, violation, first)
  }
}

function pathOf(target: string): string | undefined {
  return target.split('?')[0]
}

const journalSuspectsAtMost = 40
const visitsOfBatch = 16
const visitsAtOnce = 4

/** Opens some of the pages that contain a client's raw HTML in a browser. */
async function lookAtRaw(look: Look, attacked: readonly Attacked[]): Promise<void> {
  const { target, findings } = look
  const suspects = attacked.filter(looksLikeRaw).slice(0, visitsOfBatch)
  for (let at = 0; at < suspects.length; at += visitsAtOnce) {
    const some = suspects.slice(at, at + visitsAtOnce)
    const details = await Promise.all(some.map(({ request }) => visitRaw(target, request)))
    for (const [index, attack] of some.entries()) {
      const detail = details[index]
      if (!detail) continue
      const violation: Violation = { kind: 'text of a client ran', detail }
      if (!findings.isListed(violation, attack.request.label))
        await confirm(look, violation, attack)
    }
  }
}

async function lookAtStalls(look: Look, stalled: readonly Attack[]): Promise<void> {
  for (const attack of stalled) {
    if (!look.findings.isMuted(attack.request.label)) await confirm(look, slow, attack)
  }
}

/**
 * @param unanswered requests without a response since the last check; any of these requests may
 * occupy a slot
 */
async function lookAtSlots(look: Look, unanswered: readonly Attacked[]): Promise<void> {
  const { target, findings } = look
  const isFree = async () => (await target.countHeldSlots()) === 0
  if (await holdsWithin(slotWithinMs, isFree)) return
  await target.restart()
  const fresh = unanswered.filter(({ request }) => !findings.isListed(held, request.label))
  const suspects = firstOfLabels(await withoutAnswer(target, fresh))
  await target.restart()
  let isConfirmed = false
  for (const suspect of suspects.slice(0, slotSuspectsAtMost)) {
    if (await confirm(look, held, suspect)) isConfirmed = true
  }
  const [first] = unanswered
  if (!isConfirmed && first) addUnconfirmed(look, held, first)
  await target.restart()
}

/** Returns the requests that got no response although their client waited. */
async function withoutAnswer<T extends Attack>(
  target: Target,
  attacks: readonly T[],
): Promise<T[]> {
  const waiting = attacks.values()
  const endless: T[] = []
  const send = async () => {
    for (const attack of waiting) {
      const outcome = await sendAlone(target, { ...attack.request, behaviour: 'stays' })
      if (outcome.kind === 'endless') endless.push(attack)
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  return endless
}
