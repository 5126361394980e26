import { createHash } from 'node:crypto'
import type { RefusalCode } from '../../shared/actionResponse.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import type { HandlerResponse } from '../../shared/response.ts'
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
  acquireIdempotencyLease,
  createIdempotencyEntries,
  decodeSharedEntry,
  encodeSharedEntry,
  type IdempotencyEntries,
  type IdempotencyEntry,
  type IdempotencyStore,
} from './idempotencyStore.ts'
import { storeResponse } from './storeResponse.ts'

/** A request with an idempotency key. */
export type IdempotentRequest = {
  /** As the client chose it. */
  readonly key: string
  readonly actionId: string
  readonly bodyHash: string
  /** Whether another body with the same key is another request, and no mistake. */
  readonly isPerBody: boolean
  /** Of its action: a response without a reader has as long to arrive, and a repeat waits so long. */
  readonly timeoutMs: number
  readonly sender: Sender
}

type Run = () => Promise<HandlerResponse>

/** A refusal where there is no response for the sender of a repeat; nothing has run then. */
type Repeated = HandlerResponse | RepeatRefusal
type RepeatRefusal = Extract<
  RefusalCode,
  'key-reused' | 'other-credentials' | 'response-gone' | 'unfinished'
>

/** Runs requests once, and gives their repeats the response of the first. */
export type Idempotency = {
  once(request: IdempotentRequest, run: Run): Promise<Repeated>
  /** Shares responses with other replicas, from now on. */
  attach(store: IdempotencyStore): void
}

/** Ten minutes, 32 MB. */
const defaultBounds = {
  ttlMs: 10 * 60_000,
  /** Of all entries, in memory. */
  maxBytes: 32_000_000,
  maxResponseBytes: 1_000_000,
  /** Responses that are read to their end without a reader. */
  maxUnread: 200,
}

/** How requests are remembered. */
type IdempotencyOptions = {
  readonly bounds: Readonly<typeof defaultBounds>
  readonly now: () => number
  readonly isCredential: IsCredential
}

/** A request as it was sent this time. */
type Sent = IdempotentRequest & {
  readonly identity: string
  readonly credentials: Credentials
}

type Context = IdempotencyOptions & {
  readonly entries: IdempotencyEntries
  readonly unread: Set<() => void>
  store: IdempotencyStore | null
}

/** Creates it: in the memory of this process, and with a store over all replicas. */
export function createIdempotency({
  bounds = defaultBounds,
  now = Date.now,
  isCredential = createIsCredential([]),
}: Partial<IdempotencyOptions> = {}): Idempotency {
  const entries = createIdempotencyEntries(bounds.maxBytes, now)
  const context: Context = { bounds, now, isCredential, entries, unread: new Set(), store: null }
  return {
    attach(store) {
      context.store = store
    },
    async once(request, run) {
      const { actionId, key, isPerBody, bodyHash, sender } = request
      const identity = hash(`${actionId}\n${key}\n${isPerBody ? bodyHash : ''}`)
      const credentials = readCredentials(sender.headers, isCredential)
      const sent: Sent = { ...request, identity, credentials }
      for (;;) {
        const entry = entries.get(identity)
        const response = await (entry ? repeat(sent, entry, context) : runFirst(sent, run, context))
        // The request that it waited for did not run.
        if (response !== 'released') return response
      }
    },
  }
}

async function runFirst(sent: Sent, run: Run, context: Context): Promise<Repeated | 'released'> {
  const { entries, bounds, unread } = context
  const { identity, bodyHash, credentials, sender } = sent
  const { entry, settle } = entries.add({
    identity,
    network: sender.network,
    expiresAtMs: context.now() + bounds.ttlMs,
    bodyHash,
    credentials: [hashCredentials(credentials, identity)],
  })
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
  try {
    response = await run()
  } finally {
    // It did not run, or failed: it may be tried again.
    if (response === null || response.status === 409) {
      settle('released')
      await lease?.release()
    }
  }
  if (response.status === 409) return response
  allow(entry, sent, setCookiesOf(response), context)
  return storeResponse(response, {
    maxBytes: bounds.maxResponseBytes,
    unreadMs: Math.min(sent.timeoutMs, bounds.ttlMs),
    maxUnread: bounds.maxUnread,
    unread,
    onStored(stored) {
      settle(stored ?? 'response-gone')
      void lease?.complete(encodeSharedEntry({ ...entry, response: stored }))
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
  // The signal costs to read.
  const outcome =
    current instanceof Promise
      ? await withDeadline(current, waitMsOf(sent, context), sender.signal())
      : current
  // Meanwhile another replica may have said whose it is.
  const laterRefusal = refusalOf(sent, entry)
  if (laterRefusal) return laterRefusal
  if (outcome === timedOut) return 'unfinished'
  if (typeof outcome === 'string') return outcome
  // proxy.ts may renew the session with each request.
  const own = sender.setCookies()
  if (own.length > 0) allow(entry, sent, [...setCookiesOf(outcome), ...own], context)
  return { ...outcome, headers: [...outcome.headers, ['waymark-replayed', '1']] }
}

async function acquireLease(sent: Sent, context: Context) {
  const { store, bounds } = context
  const { signal } = sent.sender
  const options = { ttlMs: bounds.ttlMs, waitMs: waitMsOf(sent, context), signal }
  // A store that fails leaves each replica to itself.
  return store && acquireIdempotencyLease(store, sent.identity, options).catch(() => null)
}

// The page of a response takes its time, too.
const minWaitMs = 60_000

function waitMsOf({ timeoutMs }: IdempotentRequest, { bounds }: Context): number {
  return Math.min(Math.max(timeoutMs, minWaitMs), bounds.ttlMs)
}

// A page that is loaded again and again, with a new cookie each time.
const maxCredentials = 8

/** Lets a request be repeated with the credentials that its sender has once these cookies are set. */
function allow(
  entry: IdempotencyEntry,
  { identity, credentials, sender: { pathname } }: Sent,
  setCookies: readonly string[],
  { now, isCredential }: Context,
): void {
  const after = withSetCookies(credentials, setCookies, { pathname, nowMs: now(), isCredential })
  // A response to a sender with credentials is for no one without.
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

function hash(content: string): string {
  return createHash('sha256').update(content).digest('base64url')
}
