import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'
import type { ServerCall } from 'waymark/plugin/client'
import { createContents } from '../contents.ts'
import { createEntryStore, type EntryStore } from '../entryStore.ts'
import type { OutboxContext } from '../outboxContext.ts'

const page = { route: { pathname: '/', search: '' }, from: '/' }

export const call = { id: 'add', args: ['text'], submit: null, page } as unknown as ServerCall

export const forever: Promise<never> = new Promise(() => {})

/**
 * Creates an outbox without a page.
 * @param overrides replace functions of the store, for example with failing ones
 */
export function createContext(overrides: Partial<EntryStore> = {}) {
  const factory = new IDBFactory()
  const stored = createEntryStore('', () => factory)
  const store = { ...stored, ...overrides }
  const now = () => 0
  const options = { owner: () => null, now, onOtherTab() {} }
  const send = vi.fn(async (..._sent: unknown[]) => 'done')
  const actions = { send, encode: async () => ({ body: '["text"]' }), unchanged: async () => null }
  const queued = vi.fn()
  const context = {
    store,
    now,
    waiters: new Map(),
    contents: createContents({ store, ...options }),
    host: { actions, router: null },
    senderLock: null,
    notice: { queued },
    wakeups: { now() {}, later() {} },
    editing: { replacedBy: (): number | null => null },
  }
  return { context: context as unknown as OutboxContext, stored, send, queued }
}
