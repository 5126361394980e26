import { createHash } from 'node:crypto'
import type { RefusalCode } from '../../shared/actionResponse.ts'
import { neverThrows } from '../../shared/neverThrows.ts'
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
  createIdempotencyEntries,
  defaultBounds,
  type IdempotencyBounds,
  type IdempotencyEntries,
  type IdempotencyEntry,
  type IdempotencyOutcome,
} from './idempotencyEntries.ts'
import {
  acquireIdempotencyLease,
  createUnreadResponses,
  type IdempotencyStore,
  replayResponse,
  storeResponse,
  type UnreadResponses,
} from './idempotencyStore.ts'

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

/** Runs requests once, and gives their repeats the response of the first. */
export type Idempotency = {
  /** @returns a refusal where there is no such response for the sender; nothing has run then */
  once(
    request: IdempotentRequest,
    run: () => Promise<HandlerResponse>,
  ): Promise<HandlerResponse | RepeatRefusal>
  /** Shares responses with other replicas, from now on. */
  attach(store: IdempotencyStore): void
}

type RepeatRefusal = Extract<
  RefusalCode,
  'key-reused' | 'other-credentials' | 'answer-gone' | 'unfinished'
>

/** How requests are remembered. */
export type IdempotencyOptions = {
  readonly bounds?: IdempotencyBounds
  readonly now?: () => number
  readonly isCredential?: IsCredential
}

/** A request as it was sent this time. */
type Sent = IdempotentRequest & {
  readonly identity: string
  readonly credentials: Credentials
  readonly run: () => Promise<HandlerResponse>
}

type Context = Required<IdempotencyOptions> & {
  readonly entries: IdempotencyEntries
  readonly unread: UnreadResponses
  store: IdempotencyStore | null
}

/** Creates it: in the memory of this process, and with a store over all replicas. */
export function createIdempotency({
  bounds = defaultBounds,
  now = Date.now,
  isCredential = createIsCredential([]),
}: IdempotencyOptions = {}): Idempotency {
  const entries = createIdempotencyEntries(bounds, now)
  const unread = createUnreadResponses(bounds.maxUnread)
  const context: Context = { bounds, now, isCredential, entries, unread, store: null }
  return {
    attach(store) {
      context.store = store
    },
    async once(request, run) {
      const { actionId, key, isPerBody, bodyHash, sender } = request
      const identity = hash(`${actionId}\n${key}\n${isPerBody ? bodyHash : ''}`)
      const credentials = readCredentials(sender.headers, isCredential)
      const sent: Sent = { ...request, identity, credentials, run }
      for (;;) {
        const entry = entries.get(identity)
        const response = entry ? await repeat(sent, entry, context) : await runFirst(sent, context)
        // The request that it waited for did not run.
        if (response !== 'released') return response
      }
    },
  }
}

async function runFirst(
  sent: Sent,
  context: Context,
): Promise<HandlerResponse | RepeatRefusal | 'released'> {
  const { entries, bounds, unread } = context
  const { entry, settle } = createEntry(sent, context)
  entries.add(entry)
  const release = () => {
    entries.remove(entry)
    settle('released')
  }
  const lease = await acquireLease(sent, context)
  switch (lease?.kind) {
    case 'stored': {
      const { bodyHash, credentials, response } = lease.outcome
      Object.assign(entry, { bodyHash, credentials })
      settle(response ?? 'answer-gone')
      entries.measure(entry)
      return repeat(sent, entry, context)
    }
    case 'gone':
      release()
      return 'answer-gone'
    case 'running':
      release()
      return 'unfinished'
  }
  let response: HandlerResponse | null = null
  try {
    response = await sent.run()
  } finally {
    // It did not run, or failed: it may be tried again.
    if (response === null || response.status === 409) {
      release()
      await lease?.release()
    }
  }
  if (response.status === 409) return response
  allow(entry, credentialsAfter(sent, setCookiesOf(response), context))
  return storeResponse(response, {
    maxBytes: bounds.maxResponseBytes,
    unreadMs: Math.min(sent.timeoutMs, bounds.ttlMs),
    unread,
    onStored(stored) {
      settle(stored ?? 'answer-gone')
      entries.measure(entry)
      const { bodyHash, credentials } = entry
      void lease?.share({ bodyHash, credentials, response: stored })
    },
  })
}

async function repeat(
  sent: Sent,
  entry: IdempotencyEntry,
  context: Context,
): Promise<HandlerResponse | RepeatRefusal | 'released'> {
  const { sender } = sent
  const refusal = refusalOf(sent, entry)
  if (refusal) return refusal
  const outcome = await settledWithin(entry.outcome, waitMsOf(sent, context), sender.signal)
  // Meanwhile another replica may have told whose it is.
  const laterRefusal = refusalOf(sent, entry)
  if (laterRefusal) return laterRefusal
  if (typeof outcome === 'string') return outcome
  // proxy.ts may renew the session with each request.
  const own = sender.setCookies()
  if (own.length > 0) {
    allow(entry, credentialsAfter(sent, [...setCookiesOf(outcome), ...own], context))
  }
  return replayResponse(outcome)
}

async function acquireLease(sent: Sent, context: Context) {
  const { store, bounds } = context
  if (store === null) return null
  const { signal } = sent.sender
  const options = { ttlMs: bounds.ttlMs, waitMs: waitMsOf(sent, context), signal }
  // A store that fails leaves each replica to itself.
  return acquireIdempotencyLease(store, sent.identity, options).catch(() => null)
}

// The page of a response takes its time, too.
const minWaitMs = 60_000

function waitMsOf({ timeoutMs }: IdempotentRequest, { bounds }: Context): number {
  return Math.min(Math.max(timeoutMs, minWaitMs), bounds.ttlMs)
}

/** @returns hashes of the credentials that the sender has once its response has set these cookies */
function credentialsAfter(
  { identity, credentials, sender: { pathname } }: Sent,
  setCookies: readonly string[],
  { now, isCredential }: Context,
): string[] {
  const after = withSetCookies(credentials, setCookies, { pathname, nowMs: now(), isCredential })
  // A response to a sender with credentials is for nobody without.
  if (hasCredentials(credentials) && !hasCredentials(after)) return []
  return [hashCredentials(after, identity)]
}

// A page that is loaded again and again, with a new cookie each time.
const maxCredentials = 8

function allow(entry: IdempotencyEntry, hashes: readonly string[]): void {
  entry.credentials = [...new Set([...entry.credentials.slice(0, maxCredentials), ...hashes])]
}

function createEntry({ identity, bodyHash, credentials, sender }: Sent, { now, bounds }: Context) {
  let resolve: (outcome: IdempotencyOutcome) => void = () => {}
  const entry: IdempotencyEntry = {
    identity,
    network: sender.network,
    expiresAtMs: now() + bounds.ttlMs,
    bodyHash,
    credentials: [hashCredentials(credentials, identity)],
    outcome: new Promise((settled) => {
      resolve = settled
    }),
  }
  const settle = (outcome: IdempotencyOutcome) => {
    entry.outcome = outcome
    resolve(outcome)
  }
  return { entry, settle }
}

function refusalOf({ identity, credentials, bodyHash }: Sent, entry: IdempotencyEntry) {
  if (!entry.credentials.includes(hashCredentials(credentials, identity))) {
    return 'other-credentials'
  }
  return entry.bodyHash === bodyHash ? null : 'key-reused'
}

/** @returns `unfinished` when the outcome takes too long, or its client has left */
async function settledWithin(
  outcome: IdempotencyEntry['outcome'],
  waitMs: number,
  signal: () => AbortSignal,
): Promise<IdempotencyOutcome | 'unfinished'> {
  if (!(outcome instanceof Promise)) return outcome
  const left = signal()
  if (left.aborted) return 'unfinished'
  return new Promise((resolve) => {
    const settle = (settled: IdempotencyOutcome | 'unfinished') => {
      clearTimeout(deadline)
      left.removeEventListener('abort', giveUp)
      resolve(settled)
    }
    const giveUp = neverThrows(() => settle('unfinished'), undefined)
    const deadline = setTimeout(giveUp, waitMs)
    left.addEventListener('abort', giveUp)
    void outcome.then(settle)
  })
}

function setCookiesOf({ headers }: Pick<HandlerResponse, 'headers'>): string[] {
  return headers.flatMap(([name, value]) => (name.toLowerCase() === 'set-cookie' ? [value] : []))
}

function hash(content: string): string {
  return createHash('sha256').update(content).digest('base64url')
}
