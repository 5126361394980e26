import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestHeader } from './appMap.ts'
import { createClient } from './exchange.ts'
import { visitRaw } from './rawVisits.ts'
import type { AttackRequest } from './request.ts'
import { storedViolations } from './stored.ts'
import { holdsWithin, type Target } from './target.ts'
import { type Violation, type ViolationKind, violationsOf } from './violations.ts'

/** Milliseconds after which a server must have freed the resources of a client that has left. */
export const slotWithinMs = 10_000

/** Milliseconds of processor time that one request may cost. */
export const cpuBoundMs = 250

// Allow for both of the server's time limits: 3 s to decode a body, and another 3 s for the body's
// values.
const replayWithinMs = 8_000
const replaySlotWithinMs = 3_000
const settleMs = 60
const cpuRuns = 3

/**
 * Maximum number of attempts to shrink a request, by the kind of its violation. Some attempts take
 * seconds.
 */
export const shrinkTries: Readonly<Record<ViolationKind, number>> = {
  'the server ended': 10,
  'a slot was held': 4,
  'a guarded action ran': 25,
  'an action ran for another site': 25,
  'a server error': 25,
  'guarded text leaked': 25,
  'a response without an end': 8,
  'too much processor time': 12,
  'a location of a client': 25,
  'a foreign request forwarded': 25,
  'a journal entry': 15,
  'text of a client ran': 2,
  'a secret was stored': 15,
  'text of a beacon was stored': 4,
  'too many series': 2,
  'a page of another user reported': 15,
  'guarded text for shared caches': 15,
  // Try few times, because the file that a request gets also depends on the previous request.
  'a cached result of other arguments': 4,
}

/**
 * Sends a request alone, and returns true if it causes the violation again. Restarts the server if
 * it has ended.
 */
export async function replays(
  target: Target,
  request: AttackRequest,
  violation: Violation,
): Promise<boolean> {
  switch (violation.kind) {
    case 'the server ended':
      return endsServer(target, request)
    case 'a slot was held':
      return holdsSlot(target, request)
    case 'too much processor time':
      return costsTooMuch(target, request)
    case 'a journal entry':
      return isReported(target, request)
    case 'text of a client ran':
      return (await visitRaw(target, request)) === violation.detail
    case 'a secret was stored':
    case 'text of a beacon was stored':
    case 'too many series':
      return isStored(target, request, violation)
    default:
      return showsInOutcome(target, request, violation)
  }
}

/**
 * Sends a request alone, on a separate connection.
 * @param withinMs milliseconds after which the client closes the connection
 */
export async function sendAlone(
  { port }: Target,
  request: AttackRequest,
  withinMs = replayWithinMs,
) {
  const client = createClient({ port, withinMs })
  const outcome = await client.exchange(withNewKey(request), [[requestHeader, 'replay']])
  client.close()
  return outcome
}

/**
 * Gives a submission a new key, because a repeated submission with the same key would get the first
 * response.
 */
function withNewKey(request: AttackRequest): AttackRequest {
  const { headers, body } = request
  const key = `replay-${randomUUID()}`
  const isKey = (name: string) =>
    /^(?:waymark-idempotency-key|\$ACTION_IDEMPOTENCY_KEY)$/i.test(name)
  const lines = headers.map(([name, value]) => [name, isKey(name) ? key : value] as const)
  if (body.kind !== 'multipart') return { ...request, headers: lines }
  const parts = body.parts.map((part) => (isKey(part.name) ? { ...part, value: key } : part))
  return { ...request, headers: lines, body: { ...body, parts } }
}

async function endsServer(target: Target, request: AttackRequest): Promise<boolean> {
  await sendAlone(target, request)
  await sleep(settleMs)
  if (await target.isServing()) return false
  await target.restart()
  return true
}

async function showsInOutcome(
  target: Target,
  request: AttackRequest,
  { kind, detail }: Violation,
): Promise<boolean> {
  const outcome = await sendAlone(target, request)
  await sleep(settleMs)
  const all = await target.takeSeen()
  if (all === null) await target.restart()
  const seen = (all ?? []).filter((each) => each.request === 'replay')
  const { map, port } = target
  const forwarded = target.takeForwarded().filter((each) => each.request === 'replay')
  const subscriptions = await target.subscriptions()
  const around = { map, host: `localhost:${port}`, forwarded, subscriptions }
  const violations = violationsOf(request, outcome, seen, around)
  return violations.some((each) => each.kind === kind && each.detail === detail)
}

async function isReported(target: Target, request: AttackRequest): Promise<boolean> {
  target.takeJournal()
  await sendAlone(target, request)
  await sleep(settleMs)
  return target.takeJournal().length > 0
}

async function isStored(
  target: Target,
  request: AttackRequest,
  { kind, detail }: Violation,
): Promise<boolean> {
  await sendAlone(target, request)
  // Restart the server, because it stores its counts when it shuts down.
  if (detail.startsWith('counts')) await target.flush()
  const violations = storedViolations(await target.takeStored(), target.map)
  return violations.some((each) => each.kind === kind && each.detail === detail)
}

async function holdsSlot(target: Target, request: AttackRequest): Promise<boolean> {
  const before = await target.countHeldSlots()
  await sendAlone(target, request, 300)
  const isReleased = async () => (await target.countHeldSlots()) <= before
  return !(await holdsWithin(replaySlotWithinMs, isReleased))
}

async function costsTooMuch(target: Target, request: AttackRequest): Promise<boolean> {
  for (let run = 0; run < cpuRuns; run++) {
    const beforeMs = target.cpuMs()
    await sendAlone(target, { ...request, behaviour: 'stays' })
    await sleep(settleMs)
    if (target.cpuMs() - beforeMs <= cpuBoundMs) return false
  }
  return true
}
