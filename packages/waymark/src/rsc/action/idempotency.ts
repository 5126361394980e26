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
  type SubmissionOutcome,
} from './idempotencyEntries.ts'
import {
  acquireIdempotencyLease,
  createUnreadAnswers,
  type IdempotencyLease,
  type IdempotencyStore,
  replayResponse,
  storeResponse,
  type UnreadAnswers,
} from './idempotencyStore.ts'

/** One submission of a form, or one call, as often as it is sent. */
export type IdempotentRequest = {
  /** As the client chose it. */
  readonly key: string
  readonly actionId: string
  /** Of what it says. */
  readonly bodyHash: string
  /** Whether another body under the same key is another submission, and no mistake. */
  readonly isPerBody: boolean
  /** Of its action: an answer that nobody reads has as long to arrive, and a repeat waits so long. */
  readonly timeoutMs: number
  readonly sender: Sender
}

/** Runs submissions once, and answers their repeats with the answer of the first. */
export type Idempotency = {
  /** @returns a refusal where it can't be given the answer of the first; nothing has run then */
  once(
    submission: IdempotentRequest,
    answer: () => Promise<HandlerResponse>,
  ): Promise<HandlerResponse | RepeatRefusal>
  /** Shares answers with other replicas, from now on. */
  attach(store: IdempotencyStore): void
}

type RepeatRefusal = Extract<
  RefusalCode,
  'key-reused' | 'other-credentials' | 'answer-gone' | 'unfinished'
>

/** What submissions are remembered with. */
export type SubmissionsOptions = {
  readonly bounds?: IdempotencyBounds
  readonly now?: () => number
  readonly isCredential?: IsCredential
}

/** A submission as it was sent this time. */
type Sent = IdempotentRequest & {
  readonly identity: string
  readonly credentials: Credentials
  readonly answer: () => Promise<HandlerResponse>
}

type Context = Required<SubmissionsOptions> & {
  readonly entries: IdempotencyEntries
  readonly unread: UnreadAnswers
  store: IdempotencyStore | null
}

/** Makes what remembers submissions: in the memory of this process, and where replicas share it. */
export function createIdempotency(parts: SubmissionsOptions = {}): Idempotency {
  const { bounds = defaultBounds, now = Date.now, isCredential = createIsCredential([]) } = parts
  const context: Context = {
    bounds,
    now,
    isCredential,
    entries: createIdempotencyEntries(bounds, now),
    unread: createUnreadAnswers(bounds.maxUnread),
    store: null,
  }
  return {
    attach(store) {
      context.store = store
    },
    async once(submission, answer) {
      const { actionId, key, isPerBody, bodyHash, sender } = submission
      const identity = hash(`${actionId}\n${key}\n${isPerBody ? bodyHash : ''}`)
      const credentials = readCredentials(sender.headers, isCredential)
      return answerSent({ ...submission, identity, credentials, answer }, context)
    },
  }
}

type Given = HandlerResponse | RepeatRefusal

function answerSent(sent: Sent, context: Context): Promise<Given> {
  const known = context.entries.get(sent.identity)
  return known ? repeat(sent, known, context) : first(sent, context)
}

async function first(sent: Sent, context: Context): Promise<Given> {
  const { entries } = context
  const { entry, settle } = createEntry(sent, context)
  entries.add(entry)
  const giveUp = () => {
    entries.remove(entry)
    settle('released')
  }
  const turn = await takeSharedTurn(sent, context)
  switch (turn?.kind) {
    case 'answered': {
      const { bodyHash, credentials, answer: kept } = turn.outcome
      Object.assign(entry, { bodyHash, credentials })
      settle(kept ?? 'answer-gone')
      entries.measure(entry)
      return repeat(sent, entry, context)
    }
    case 'gone':
      giveUp()
      return 'answer-gone'
    case 'running':
      giveUp()
      return 'unfinished'
  }
  const given = await sent.answer().catch(async (thrown: unknown) => {
    giveUp()
    await turn?.release()
    throw thrown
  })
  // It did not run: it may be tried again.
  if (given.status === 409) {
    giveUp()
    await turn?.release()
    return given
  }
  accept(entry, hashesAfter(sent, setCookiesOf(given), context))
  return storeResponse(given, {
    maxBytes: context.bounds.maxAnswerBytes,
    unreadMs: Math.min(sent.timeoutMs, context.bounds.ttlMs),
    unread: context.unread,
    onKept(kept) {
      settle(kept ?? 'answer-gone')
      entries.measure(entry)
      const { bodyHash, credentials } = entry
      void turn?.share({ bodyHash, credentials, answer: kept })
    },
  })
}

async function repeat(sent: Sent, entry: IdempotencyEntry, context: Context): Promise<Given> {
  const { sender } = sent
  const refusal = refusalOf(sent, entry)
  if (refusal) return refusal
  const waitMs = waitMsOf(sent, context)
  const outcome = await settledWithin(entry.outcome, waitMs, sender.signal)
  // Meanwhile another replica may have told whose it is.
  const late = refusalOf(sent, entry)
  if (late) return late
  // Whoever it waited for has left, or could not begin.
  if (outcome === 'released') return answerSent(sent, context)
  if (typeof outcome === 'string') return outcome
  const own = sender.setCookies()
  // A session that proxy.ts renews with each request.
  if (own.length > 0) {
    accept(entry, hashesAfter(sent, [...setCookiesOf(outcome), ...own], context))
  }
  return replayResponse(outcome)
}

function takeSharedTurn(sent: Sent, context: Context): Promise<IdempotencyLease | null> {
  const { store, bounds } = context
  if (store === null) return Promise.resolve(null)
  const { signal } = sent.sender
  const options = { keepMs: bounds.ttlMs, waitMs: waitMsOf(sent, context), signal }
  // A store that fails leaves each replica to itself.
  return acquireIdempotencyLease(store, sent.identity, options).catch(() => null)
}

function waitMsOf({ timeoutMs }: IdempotentRequest, { bounds }: Context): number {
  return Math.min(Math.max(timeoutMs, minWaitMs), bounds.ttlMs)
}

/** The credentials that the sender of a request has once its answer has set these cookies. */
function hashesAfter(
  { identity, credentials, sender: { pathname } }: Sent,
  setCookies: readonly string[],
  { now, isCredential }: Context,
): string[] {
  const after = withSetCookies(credentials, setCookies, { pathname, nowMs: now(), isCredential })
  // Whoever sends none must not get what somebody with some was given.
  if (hasCredentials(credentials) && !hasCredentials(after)) return []
  return [hashCredentials(after, identity)]
}

function accept(entry: IdempotencyEntry, hashes: readonly string[]): void {
  entry.credentials = [...new Set([...entry.credentials.slice(0, maxCredentials), ...hashes])]
}

// What a repeat waits for at least: the page of an answer takes its time, too.
const minWaitMs = 60_000
// A page that is loaded again and again, with a new cookie each time.
const maxCredentials = 8

function createEntry({ identity, bodyHash, credentials, sender }: Sent, { now, bounds }: Context) {
  let resolve: (outcome: SubmissionOutcome) => void = () => {}
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
  const settle = (outcome: SubmissionOutcome) => {
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

type Settled = SubmissionOutcome | 'unfinished'

/** What has come of a submission, or `unfinished` when that takes too long, or nobody waits. */
function settledWithin(
  outcome: IdempotencyEntry['outcome'],
  waitMs: number,
  signal: () => AbortSignal,
): Settled | Promise<Settled> {
  if (!(outcome instanceof Promise)) return outcome
  return new Promise((resolve) => {
    const left = signal()
    const settle = (settled: Settled) => {
      clearTimeout(deadline)
      left.removeEventListener('abort', leave)
      resolve(settled)
    }
    const leave = neverThrows(() => settle('unfinished'), undefined)
    const deadline = setTimeout(leave, waitMs)
    left.addEventListener('abort', leave)
    if (left.aborted) leave()
    else void outcome.then(settle)
  })
}

function setCookiesOf({ headers }: Pick<HandlerResponse, 'headers'>): string[] {
  return headers.flatMap(([name, value]) => (name.toLowerCase() === 'set-cookie' ? [value] : []))
}

function hash(content: string): string {
  return createHash('sha256').update(content).digest('base64url')
}
