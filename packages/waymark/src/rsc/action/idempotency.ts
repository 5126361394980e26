import { hash } from 'node:crypto'
import { type Lease, waitForLease } from '../../cache/cacheDriver.ts'
import type { HandlerResponse, ServerRequest } from '../../http/response.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import type { RefusalCode } from '../../wire/actionResponse.ts'
import {
  type Credentials,
  createIsCredential,
  hasCredentials,
  hashCredentials,
  type IsCredential,
  readCredentials,
  type Sender,
  withSetCookies,
} from './credentials.ts'
import {
  type AcquiredLease,
  createIdempotencyEntries,
  decodeSharedEntry,
  encodeSharedEntry,
  type IdempotencyEntries,
  type IdempotencyEntry,
  type IdempotencyOutcome,
  type IdempotencyStore,
} from './idempotencyStore.ts'
import { storeResponse } from './storeResponse.ts'

export type IdempotentRequest = {
  readonly key: string
  readonly actionId: string
  readonly bodyHash: string
  /**
   * True if the request may be repeated days later. The mark that such a request ran is stored
   * longer than its response.
   */
  readonly isQueued: boolean
  /**
   * Maximum milliseconds that a repeat waits, and that a response may take after its reader has
   * left.
   */
  readonly timeoutMs: number
  readonly sender: Sender
  /** Keeps the host running until other replicas know the response. */
  readonly waitUntil?: ServerRequest['waitUntil']
}

/**
 * Runs the action. @param onRan call it when the action has run, and send nothing before it
 * resolves: by then, every replica knows that the action ran
 */
type Run = (onRan: () => Promise<void> | undefined) => Promise<HandlerResponse>

type Repeated =
  | HandlerResponse
  | Extract<RefusalCode, 'key-reused' | 'other-credentials' | 'response-gone' | 'unfinished'>

export type Idempotency = {
  once(request: IdempotentRequest, run: Run): Promise<Repeated>
  attach(store: IdempotencyStore): void
}

const defaultBounds = {
  ttlMs: 10 * 60_000,
  /**
   * Milliseconds for which marks are stored. Safari deletes a site's stored data after a week, so
   * marks must last a little longer.
   */
  markTtlMs: 8 * 24 * 60 * 60_000,
  maxBytes: 32_000_000,
  /** Maximum bytes of marks, enough for 20,000 marks in a shared store. */
  maxMarkBytes: 26_000_000,
  maxResponseBytes: 1_000_000,
  maxUnread: 200,
}

type IdempotencyOptions = {
  readonly bounds: Readonly<typeof defaultBounds>
  readonly now: () => number
  readonly isCredential: IsCredential
}

type Sent = IdempotentRequest & {
  readonly identity: string
  readonly credentials: Credentials
}

type Context = IdempotencyOptions & {
  readonly entries: IdempotencyEntries
  /**
   * Marks of queued requests that ran. They are stored separately, so that marks and responses don't evict each other.
   */
  readonly marks: IdempotencyEntries
  readonly unread: Set<() => void>
  store: IdempotencyStore | null
}

/** Creates the store of this process; `attach` adds a store that all replicas share. */
export function createIdempotency({
  bounds = defaultBounds,
  now = Date.now,
  isCredential = createIsCredential([]),
}: Partial<IdempotencyOptions> = {}): Idempotency {
  const entries = createIdempotencyEntries(bounds.maxBytes, now)
  const marks = createIdempotencyEntries(bounds.maxMarkBytes, now)
  const unread = new Set<() => void>()
  const context: Context = { bounds, now, isCredential, entries, marks, unread, store: null }
  return {
    attach(store) {
      context.store = store
    },
    async once(request, run) {
      const { actionId, key, sender } = request
      const identity = hash('sha256', `${actionId}\n${key}\n`, 'base64url')
      const credentials = readCredentials(sender.headers, isCredential)
      const sent: Sent = { ...request, identity, credentials }
      for (;;) {
        const entry = entries.get(identity) ?? marks.get(identity)
        const response = await (entry ? repeat(sent, entry, context) : runFirst(sent, run, context))
        // The first attempt released its lease because it didn't run, so try again.
        if (response !== 'released') return response
      }
    },
  }
}

async function runFirst(sent: Sent, run: Run, context: Context): Promise<Repeated | 'released'> {
  const { entries, bounds, unread } = context
  const { identity, bodyHash, credentials, sender } = sent
  const added = entries.add({
    identity,
    network: sender.network,
    expiresAtMs: context.now() + bounds.ttlMs,
    bodyHash,
    credentials: [hashCredentials(credentials, identity)],
  })
  const { entry, settle } = added
  const lease = await acquireLease(sent, context)
  if (lease?.kind === 'running') {
    settle('released')
    return 'unfinished'
  }
  if (lease?.kind === 'done') {
    const shared = lease.result && decodeSharedEntry(lease.result)
    if (shared === null) {
      settle('released')
      return 'response-gone'
    }
    const { response, ...others } = shared
    Object.assign(entry, others)
    settle(response ?? 'response-gone')
    return repeat(sent, entry, context)
  }
  let response: HandlerResponse | null = null
  let hasRun = false
  try {
    const onRan = () => {
      hasRun = true
      return sent.isQueued ? markRan(entry, lease, sent, context) : undefined
    }
    response = await run(onRan)
  } finally {
    if (!hasRun) await lease?.mark?.release()
    // Let the client try again if the first attempt didn't run or failed.
    if (response === null || response.status === 409) {
      settle('released')
      await lease?.release()
    }
  }
  if (response.status === 409) return response
  allow(entry, sent, setCookiesOf(response), context)
  // Without this promise, the host could stop or freeze after the response. Other replicas would then
  // run a repeat when the lease expires.
  let endWait = () => {}
  if (lease) sent.waitUntil?.(new Promise<void>((resolve) => (endWait = resolve)))
  return storeResponse(response, {
    maxBytes: bounds.maxResponseBytes,
    unreadMs: Math.min(sent.timeoutMs, bounds.ttlMs),
    maxUnread: bounds.maxUnread,
    unread,
    onStored(stored) {
      void settleEverywhere(added, lease, stored ?? 'response-gone').finally(endWait)
    },
  })
}

async function repeat(
  sent: Sent,
  entry: IdempotencyEntry,
  context: Context,
): Promise<Repeated | 'released'> {
  const { sender } = sent
  const refusal = refusalOf(sent, entry)
  if (refusal) return refusal
  const { outcome: current } = entry
  // Create the signal only if the outcome isn't settled, because creating it is slow.
  const outcome =
    current instanceof Promise
      ? await withDeadline(current, waitMsOf(sent, context), sender.signal())
      : current
  // Check the credentials again, because the entry may have changed during the wait.
  const laterRefusal = refusalOf(sent, entry)
  if (laterRefusal) return laterRefusal
  if (outcome === timedOut) return 'unfinished'
  if (typeof outcome === 'string') return outcome
  // proxy.ts may renew the session with each request, so include its cookies.
  const renewedCookies = sender.setCookies()
  if (renewedCookies.length > 0)
    allow(entry, sent, [...setCookiesOf(outcome), ...renewedCookies], context)
  return { ...outcome, headers: [...outcome.headers, ['waymark-replayed', '1']] }
}

type Acquired = (Lease & { readonly mark?: AcquiredLease | null }) | null

/**
 * Acquires the lease for the response and, for a queued request, also the lease for the mark that
 * the request ran.
 */
async function acquireLease(sent: Sent, context: Context): Promise<Acquired> {
  const lease = await leaseOf('idempotency', context.bounds.ttlMs, sent, context)
  if (!sent.isQueued || lease?.kind !== 'ours') return lease
  const mark = await leaseOf('ran', markTtlMsOf(sent, context), sent, context)
  if (mark === null || mark.kind === 'ours') return { ...lease, mark }
  await lease.release()
  return mark
}

async function leaseOf(name: string, ttlMs: number, sent: Sent, context: Context) {
  const { store } = context
  const options = { ttlMs, waitMs: waitMsOf(sent, context), signal: sent.sender.signal }
  // If the store fails, each replica only recognizes requests that it has run itself.
  return store && waitForLease(store, `${name}:${sent.identity}`, options).catch(() => null)
}

/**
 * Stores evict the entries that expire soonest. Shorten the lifetime for a site with many marks, so
 * that it evicts its own.
 */
function markTtlMsOf({ sender: { network } }: Sent, { bounds, marks }: Context): number {
  const isCrowded = network !== null && marks.bytesOf(network) > bounds.maxMarkBytes / 4
  return isCrowded ? bounds.markTtlMs / 8 : bounds.markTtlMs
}

/**
 * Records that the request's action ran. Call it before the response exists, because the process
 * may end before the response is complete.
 */
async function markRan(entry: IdempotencyEntry, lease: Acquired, sent: Sent, context: Context) {
  allow(entry, sent, sent.sender.setCookies(), context)
  const expiresAtMs = context.now() + markTtlMsOf(sent, context)
  const mark = context.marks.add({ ...entry, expiresAtMs })
  await settleEverywhere(mark, lease?.mark ?? null, 'response-gone')
}

/**
 * Settles an entry in this process, then in the shared store. Gives up the lease if the entry is
 * evicted at once.
 */
async function settleEverywhere(
  { entry, settle }: ReturnType<IdempotencyEntries['add']>,
  lease: AcquiredLease | null,
  outcome: IdempotencyOutcome,
): Promise<void> {
  entry.isShared = lease !== null
  // Without `withdraw`, the store limits its size itself.
  if (lease?.withdraw) entry.lease = lease
  settle(outcome)
  if (entry.isEvicted) await lease?.release()
  else await lease?.complete(encodeSharedEntry(entry))
}

// Minimum milliseconds that a repeat waits, because rendering the page for the response takes time
// after the action.
const minWaitMs = 60_000

function waitMsOf({ timeoutMs }: IdempotentRequest, { bounds }: Context): number {
  return Math.min(Math.max(timeoutMs, minWaitMs), bounds.ttlMs)
}

// Maximum number of credentials per entry. Without a limit, reloading a page with a new cookie each
// time would grow the list.
const maxCredentials = 8

/**
 * Also accepts repeats with the credentials that the sender has after storing the response's
 * cookies.
 */
function allow(
  entry: IdempotencyEntry,
  { identity, credentials, sender: { pathname } }: Sent,
  setCookies: readonly string[],
  { now, isCredential }: Context,
): void {
  const after = withSetCookies(credentials, setCookies, { pathname, nowMs: now(), isCredential })
  // Never send a signed-in sender's stored response to an anonymous sender.
  if (hasCredentials(credentials) && !hasCredentials(after)) return
  const allowed = entry.credentials.slice(0, maxCredentials)
  entry.credentials = [...new Set([...allowed, hashCredentials(after, identity)])]
}

function refusalOf({ identity, credentials, bodyHash }: Sent, entry: IdempotencyEntry) {
  if (!entry.credentials.includes(hashCredentials(credentials, identity))) {
    return 'other-credentials'
  }
  return entry.bodyHash === bodyHash ? null : 'key-reused'
}

function setCookiesOf({ headers }: Pick<HandlerResponse, 'headers'>): string[] {
  return headers.flatMap(([name, value]) => (name.toLowerCase() === 'set-cookie' ? [value] : []))
}
