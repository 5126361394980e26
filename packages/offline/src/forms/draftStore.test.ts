import { expect, test } from 'vitest'
import { createDraftStore } from './draftStore.ts'
import { draftsKey } from './hasFormDraft.ts'

const minuteMs = 60_000
const text = { pathname: '/write', fields: [['key', 'precious']] as const }

/** Creates a tab in which a test sets the user, the session and the clock. */
function openTab() {
  const items = new Map<string, string>()
  const tab = { owner: null as string | null, mark: 'expired', nowMs: 0 }
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  const drafts = createDraftStore({
    storage: () => storage,
    owner: () => tab.owner,
    mark: () => tab.mark,
    now: () => tab.nowMs,
  })
  const save = () => drafts.save(text, drafts.user())
  return { tab, drafts, save, items, storedFields: () => drafts.find('/write')?.fields ?? null }
}

test('a draft is restored once, on its own page only', () => {
  const { drafts, save, items } = openTab()
  save()
  expect(drafts.take('/other')).toBe(null)
  expect(drafts.take('/write')?.fields).toEqual(text.fields)
  expect(drafts.take('/write')).toBe(null)
  expect(items.size).toBe(0)
})

test('only the same named user gets the draft back, after any sign-in', () => {
  const { tab, save, storedFields, items } = openTab()
  tab.owner = 'user ada'
  save()
  for (const [owner, mark] of [
    ['session 2', '2'],
    ['session 3', '3'],
    [null, '3'],
  ] as const) {
    Object.assign(tab, { owner, mark })
    expect(storedFields()).toBe(null)
  }
  tab.owner = 'user ada'
  expect(storedFields()).toEqual(text.fields)
  tab.owner = 'user bob'
  expect(storedFields()).toBe(null)
  expect(items.get(draftsKey)).toBe(undefined)
  tab.owner = 'user ada'
  expect(storedFields()).toBe(null)
})

test('without a named user, the draft survives one sign-in and is deleted at sign-out', () => {
  const { tab, save, storedFields, items } = openTab()
  tab.owner = 'session expired'
  save()
  // Change the session mark, because the response that refuses a call may delete a cookie.
  tab.mark = 'deleted'
  expect(storedFields()).toEqual(text.fields)
  tab.mark = 'signed in'
  expect(storedFields()).toEqual(text.fields)
  expect(storedFields()).toEqual(text.fields)
  tab.mark = 'signed out'
  expect(storedFields()).toBe(null)
  expect(items.size).toBe(0)
})

test('text that was typed before signing in is restored for any user', () => {
  const { tab, save, storedFields } = openTab()
  save()
  expect(storedFields()).toEqual(text.fields)
  Object.assign(tab, { owner: 'user ada', mark: 'signed in' })
  expect(storedFields()).toEqual(text.fields)
})

test.each([
  ['after 30 minutes', 30 * minuteMs, true],
  ['later', 30 * minuteMs + 1, false],
  ['by a clock that was set back', -1, false],
])('the draft exists %s: %s', (_, nowMs, isThere) => {
  const { tab, save, storedFields } = openTab()
  save()
  tab.nowMs = nowMs
  expect(storedFields() !== null).toBe(isThere)
})

test('the number and the size of drafts are limited', () => {
  const { drafts, items } = openTab()
  for (let page = 0; page < 9; page++) drafts.save({ ...text, pathname: `/${page}` }, null)
  const isThere = (page: number) => drafts.find(`/${page}`) !== null
  expect([0, 3, 4, 8].map(isThere)).toEqual([false, false, true, true])
  drafts.save({ pathname: '/large', fields: [['key', 'x'.repeat(300_000)]] }, null)
  expect(drafts.find('/large')).toBe(null)
  expect(isThere(8)).toBe(true)
  expect((items.get(draftsKey) ?? '').length).toBeLessThan(200_000)
})

test('unknown stored values are ignored', () => {
  const { drafts, items, storedFields } = openTab()
  for (const other of ['no JSON', '7', '[null, {"pathname": "/write"}]']) {
    items.set(draftsKey, other)
    expect(storedFields()).toBe(null)
  }
  drafts.save(text, null)
  expect(storedFields()).toEqual(text.fields)
})

test('without storage nothing is stored, and nothing throws', () => {
  const drafts = createDraftStore({
    storage: () => {
      throw new Error('SecurityError')
    },
    owner: () => null,
    mark: () => '',
    now: () => 0,
  })
  drafts.save(text, null)
  expect(drafts.take('/write')).toBe(null)
})
