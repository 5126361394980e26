import { ActionError } from 'waymark/client'
import type { ReceivedResponse, ServerCall } from 'waymark/plugin/client'
import { currentMaker } from '../shared/owner.ts'
import { isConflict } from './conflict.ts'
import { type Entry, randomKey, type StoredResponse, sending, sentCall, waiting } from './entry.ts'
import type { EntryStore } from './entryStore.ts'
import type { OutboxHost } from './host.ts'
import { inTime } from './inTime.ts'
import { leaseMs, maxTries, recheckMs, storeMs } from './limits.ts'
import { outboxTexts } from './outboxTexts.ts'
import { type Outcome, outcomeOf, outcomeOfError, resultOf } from './outcome.ts'

/** Code in this tab that awaits an entry's call. */
export type Waiter = {
  readonly call: ServerCall
  /** Value that tells the form that nothing has changed. */
  readonly unchanged: unknown
  /** Called when the response has arrived, after which the caller has no time limit any more. */
  received(): void
  resolve(value: unknown): void
  reject(error: unknown): void
}

export type ReplayOptions = {
  readonly host: Required<{ [Name in keyof OutboxHost]: NonNullable<OutboxHost[Name]> }>
  readonly store: EntryStore
  readonly now: () => number
  readonly hasLocks: boolean
  /** Waiters, by entry id. A released waiter is removed. */
  readonly waiters: ReadonlyMap<number, Waiter>
  /** Resolves the promise of the code that awaits an entry, but keeps the entry. */
  readonly release: (id: number, isRefused: boolean) => Promise<void>
  /** Returns the first entry that this tab may send now. */
  readonly next: () => Promise<Entry | null>
  /** True if the page on the screen belongs to the current session. */
  readonly isPageCurrent: () => Promise<boolean>
  /** Called after the entry was stored in its new state or deleted. */
  readonly onSettled: (entry: Entry, outcome: Outcome) => Promise<void>
  /** Called if the response changed the session's cookies. */
  readonly onSession: (entry: Entry) => Promise<void>
}

/**
 * Sends the waiting entries one after another, in order of creation.
 * @returns false if something is left for later
 */
export async function replay(options: ReplayOptions): Promise<boolean> {
  const { host, waiters, next, now, isPageCurrent } = options
  let checkedAtMs: number | null = null
  let hasChanged = false
  let refused = -1
  const sent = { onChange: () => (hasChanged = true) }
  try {
    for (;;) {
      const nextEntry = await next()
      if (!nextEntry) return true
      if (nextEntry.received) {
        const outcome = await readReceived(options, nextEntry, nextEntry.received, sent.onChange)
        await settle(options, nextEntry, { outcome, counts: false })
        continue
      }
      // An entry may only be sent if its owner is the user of a page that the server has just
      // rendered.
      const isChecked = checkedAtMs !== null && now() - checkedAtMs < recheckMs
      if (!isChecked && !waiters.has(nextEntry.id)) {
        if (!(await isPageCurrent())) return false
        checkedAtMs = now()
        continue
      }
      const entry = await claim(options, nextEntry.id)
      // The entry has been deleted or, in a browser without Web Locks, a different tab is sending
      // it.
      if (!entry && nextEntry.id === refused) return false
      refused = nextEntry.id
      if (!entry) continue
      const outcome = isOfOtherBuild(entry, host)
        ? updated
        : await sendEntry(options, entry, sent.onChange)
      await settle(options, entry, { outcome, counts: checkedAtMs !== null })
      if (outcome.kind === 'later') return false
    }
  } finally {
    if (hasChanged) void host.router.renew()
  }
}

const updated: Outcome = {
  kind: 'problem',
  problem: { kind: 'updated', message: outboxTexts.updated },
}

function isOfOtherBuild({ build }: Entry, { router }: ReplayOptions['host']): boolean {
  return build !== null && build !== router.build
}

function claim({ store, now, hasLocks }: ReplayOptions, id: number): Promise<Entry | null> {
  return store.update(id, (entry) => {
    const { state } = entry
    if (state.kind === 'needs-attention') return null
    // This tab has the lock, so the tab that was sending the entry no longer exists.
    if (state.kind === 'sending' && !hasLocks && state.untilMs > now()) return null
    return sending(entry, now() + leaseMs)
  })
}

/**
 * Returns the outcome of an entry that the service worker has sent. If the stored response is
 * unreadable, sends the entry again with the same key.
 */
async function readReceived(
  { host }: ReplayOptions,
  entry: Entry,
  { body, changed }: StoredResponse,
  onChange: () => void,
): Promise<Outcome> {
  try {
    const response = await inTime(host.actions.decode(new Blob([body]).stream()), storeMs)
    if (affectsPages(response, changed)) onChange()
    return await outcomeOf(response, entry)
  } catch {
    return { kind: 'later' }
  }
}

type Changed = Pick<ReceivedResponse, 'changed'>['changed']

/** True if a response may have changed pages. */
function affectsPages(response: ReceivedResponse['response'], changed: Changed): boolean {
  return changed !== null || 'page' in response || response.kind === 'redirect'
}

async function sendEntry(
  options: ReplayOptions,
  entry: Entry,
  onChange: () => void,
): Promise<Outcome> {
  const { host, waiters, onSession } = options
  const waiter = waiters.get(entry.id)
  const isAwaited = () => waiter !== undefined && waiters.get(entry.id) === waiter
  let wasAwaited = false
  let kind: ResponseKind = null
  try {
    const received = await new Promise<ReceivedResponse>((resolve, reject) => {
      const callResult = host.actions.send(waiter?.call ?? callOf(entry, host), {
        again: sentCall(entry),
        isQueued: true,
        user: sealOf(entry),
        onResponse(response) {
          wasAwaited = isAwaited()
          kind = response.response.kind
          if (wasAwaited) {
            waiter?.received()
            void keepForm(response, waiter?.call)
          }
          resolve(response)
          return wasAwaited
        },
      })
      callResult.catch(reject)
      if (waiter) passOn(options, entry, { callResult, waiter, isAwaited, kind: () => kind })
    })
    const { response, changed, whole } = received
    if (changed === 'session') await onSession(entry)
    // If the response was cut off, send the entry again. Because of its key, the server repeats the
    // same response.
    if (!(await isWhole(whole))) return { kind: 'later' }
    const outcome = await outcomeOf(response, entry)
    if (!wasAwaited) {
      if (affectsPages(response, changed)) onChange()
      return outcome
    }
    const stays = response.kind === 'refused' && (outcome.kind === 'later' || isOtherUser(response))
    return stays ? outcome : { kind: 'sent' }
  } catch (error) {
    return outcomeOfError(error, entry)
  }
}

/**
 * Returns the seal of the entry's user. Prefers the open page's seal, which may be from newer keys.
 */
function sealOf({ owner, sealedUser = null }: Entry): string | null {
  const current = currentMaker()
  return current.owner === owner && current.sealed !== null ? current.sealed : sealedUser
}

function isOtherUser(response: ReceivedResponse['response']): boolean {
  return response.kind === 'refused' && response.code === 'other-user'
}

function isWhole(whole: Promise<void>): Promise<boolean> {
  return whole.then(
    () => true,
    () => false,
  )
}

/** Builds the call for an entry that a different document made, or whose form no longer waits. */
function callOf({ action, page }: Entry, { router }: ReplayOptions['host']): ServerCall {
  const { pathname, search, from, beside } = page
  const current = router.current()
  const route = { ...current.route, pathname, search }
  return { id: action, args: [], submit: null, page: { ...current, route, from, beside } }
}

type ResponseKind = ReceivedResponse['response']['kind'] | null

type Passing = {
  readonly callResult: Promise<unknown>
  readonly waiter: Waiter
  readonly isAwaited: () => boolean
  readonly kind: () => ResponseKind
}

/** Passes the result to the waiting caller, as without an outbox. */
function passOn(
  { host, release }: ReplayOptions,
  entry: Entry,
  { callResult, waiter, isAwaited, kind }: Passing,
): void {
  callResult.then(
    (value) => {
      const isLeft = kind() === 'redirect' || kind() === 'signal'
      if (isAwaited()) waiter.resolve(isLeft ? waiter.unchanged : value)
    },
    (error: unknown) => {
      if (!isAwaited()) return
      const outcome = outcomeOfError(error, entry)
      const isOfOther = error instanceof ActionError && error.code === 'other-user'
      // The entry now waits until its owner signs in, so release the form.
      if (isOfOther) waiter.resolve(waiter.unchanged)
      else if (outcome.kind === 'later') void release(entry.id, outcome.isRefused === true)
      else if (outcome.kind === 'sent') waiter.resolve(waiter.unchanged)
      else if (outcome.problem.kind === 'failed') waiter.reject(error)
      // Send the call again through the core, which shows the reason for the refusal and restores
      // the form.
      else {
        const user = sealOf(entry)
        waiter.resolve(host.actions.send(waiter.call, { again: sentCall(entry), user }))
      }
    },
  )
}

const resetWithinMs = 3000

/** Keeps the values of a form after a conflict, because React would reset the form. */
async function keepForm({ response }: ReceivedResponse, call: ServerCall | undefined) {
  const form = call?.submit?.form
  if (!form || response.kind !== 'returned' || !isConflict(await resultOf(response))) return
  const signal = AbortSignal.timeout(resetWithinMs)
  form.addEventListener('reset', (event) => event.preventDefault(), { once: true, signal })
}

async function settle(
  { store, onSettled }: ReplayOptions,
  entry: Entry,
  { outcome, counts }: { readonly outcome: Outcome; readonly counts: boolean },
): Promise<void> {
  switch (outcome.kind) {
    case 'sent':
      await store.remove(entry.id)
      break
    case 'later':
      await store.update(entry.id, (now) => ({
        ...again(now, counts ? now.tries + 1 : now.tries),
        received: null,
      }))
      break
    case 'problem': {
      const state = { kind: 'needs-attention', problem: outcome.problem } as const
      const renewed = outcome.keepsKey ? {} : { key: randomKey(), timesSent: 0 }
      await store.update(entry.id, (now) => ({ ...now, ...renewed, state, received: null }))
    }
  }
  await onSettled(entry, outcome)
}

function again(entry: Entry, tries: number): Entry {
  // The user has edited or withdrawn the entry while it was being sent, so keep its state.
  if (entry.state.kind === 'needs-attention') return entry
  if (tries < maxTries) return { ...entry, tries, state: waiting }
  const problem = { kind: 'unanswered', message: outboxTexts.unanswered } as const
  return { ...entry, tries: 0, state: { kind: 'needs-attention', problem } }
}
