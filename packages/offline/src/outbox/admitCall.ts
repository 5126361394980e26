import type { ServerCall } from 'waymark/plugin/client'
import { currentMaker, isOtherUser } from '../shared/owner.ts'
import {
  bytesOf,
  type CallDescription,
  isInline,
  type NewEntry,
  randomKey,
  sentCall,
  storedBody,
  waiting,
} from './entry.ts'
import { inTime } from './inTime.ts'
import { limitMs, maxEntryBytes, storeMs } from './limits.ts'
import type { OutboxContext } from './outboxContext.ts'
import type { NotQueued } from './outboxNotice.ts'
import type { Waiter } from './replay.ts'
import { release } from './sendWaiting.ts'
import { requestSync } from './wakeups.ts'

/** A call that has its place in the order of calls. `result` returns the value for the caller. */
type Admitted = { readonly result: () => unknown }

/** Functions that hide the notice that a form's call isn't stored, by form. */
const words = new WeakMap<HTMLFormElement, () => void>()

/**
 * Stores a call before it is sent. A call that can't be stored is sent directly, as in an app without an
 * outbox.
 */
export async function admitCall(
  context: OutboxContext,
  call: ServerCall,
  description: CallDescription | null,
): Promise<Admitted> {
  const { host, contents, editing, notice, store } = context
  const { actions } = host
  if (!actions) throw new Error('A call arrived before the functions that send calls were set up.')
  // Submitting the form again makes the notice about its previous call obsolete.
  if (call.submit) words.get(call.submit.form)?.()
  if (!description) return { result: () => actions.send(call, { user: currentMaker().sealed }) }
  const entry = await newEntry(context, call, description)
  if (entry.bytes > maxEntryBytes) return notQueued(context, call, 'tooLargeToSave')
  const unchanged = await actions.unchanged(call)
  const id = await contents.add(entry)
  if (id === 'failed')
    return { result: () => actions.send(call, { user: entry.sealedUser ?? null }) }
  // Storing was slow: the entry may still get stored, and a different tab may send it. With the
  // entry's key, the server runs the call only once.
  if (id === 'late')
    return {
      result: () => actions.send(call, { again: sentCall(entry), user: entry.sealedUser ?? null }),
    }
  if (id === 'full' || id === 'noSpace') return notQueued(context, call, id)
  // A browser may ask the user about persistent storage, so only request it with the first entry.
  if (id === 1) void navigator.storage?.persist?.().catch(() => {})
  void requestSync(navigator.serviceWorker)
  const replaced = editing.replacedBy(call, description)
  // If the replaced entry can't be removed now, the user can still delete it.
  if (replaced !== null) await inTime(store.remove(replaced), storeMs).catch(() => {})
  // The server would refuse the call for a different user. It waits until its own user signs in
  // again.
  if (isOtherUser()) {
    notice.otherUser()
    return { result: () => unchanged?.value }
  }
  const response = untilReleased(context, { id, call, unchanged: unchanged?.value })
  return { result: () => response }
}

async function newEntry(
  { host, now, senderLock }: OutboxContext,
  call: ServerCall,
  description: CallDescription,
): Promise<NewEntry> {
  const madeAtMs = now()
  const encoded = await host.actions?.encode(call)
  const body = storedBody(encoded?.body ?? '')
  const { route, from, beside = [] } = call.page
  const { owner, sealed } = currentMaker()
  return {
    key: randomKey(),
    action: call.id,
    body,
    bytes: bytesOf(body),
    description,
    madeAtMs,
    build: isInline(call.id) ? (host.router?.build ?? null) : null,
    page: { pathname: route.pathname, search: route.search, from, beside },
    owner,
    sealedUser: sealed,
    awaitedUntilMs: madeAtMs + limitMs + 500,
    senderLock,
    tries: 0,
    timesSent: 0,
    state: waiting,
  }
}

/**
 * Sends a call directly, as without an outbox. If no response arrives, a notice says that the call
 * isn't stored.
 */
function notQueued({ host, notice }: OutboxContext, call: ServerCall, reason: NotQueued): Admitted {
  return {
    result() {
      let isThere = false
      let hide = () => {}
      const say = () => {
        if (isThere) return
        hide = notice.notQueued(reason)
        if (call.submit) words.set(call.submit.form, hide)
      }
      const onResponse = () => {
        isThere = true
        hide()
        return true
      }
      const word = setTimeout(say, navigator.onLine ? limitMs : 0)
      const user = currentMaker().sealed
      return host.actions?.send(call, { onResponse, user }).finally(() => {
        clearTimeout(word)
        say()
      })
    },
  }
}

/** Sends an entry and returns its result to the caller, who waits up to the time limit. */
function untilReleased(
  context: OutboxContext,
  { id, ...waiter }: Pick<Waiter, 'call' | 'unchanged'> & { readonly id: number },
): Promise<unknown> {
  const { waiters, wakeups, contents } = context
  return new Promise((resolve, reject) => {
    const end = (give: (value: never) => void) => (value: unknown) => {
      clearTimeout(limit)
      waiters.delete(id)
      give(value as never)
    }
    const limit = setTimeout(() => void release(context, id), navigator.onLine ? limitMs : 0)
    const received = () => clearTimeout(limit)
    waiters.set(id, { ...waiter, received, resolve: end(resolve), reject: end(reject) })
    wakeups.now()
    void contents.changed()
  })
}
