import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServerCall } from 'waymark/plugin/client'
import { createEditing } from './editing.ts'
import type { CallDescription } from './entry.ts'
import { newEntry } from './testing/entries.ts'

beforeEach(() => {
  vi.useFakeTimers()
  const noObserver = class {
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('MutationObserver', noObserver)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const description: CallDescription = {
  name: 'note',
  label: 'Note',
  fields: [],
  draft: { form: 'note', values: [] },
}

/** Opens the page of an entry with its form filled in. */
async function edit(id = 7) {
  const place = { pathname: '/notes', search: '?id=1' }
  const view = {
    location: { ...place, href: 'http://app.example/notes?id=1' },
    document: { forms: [], querySelectorAll: () => [] },
    sessionStorage: { setItem() {}, removeItem() {} },
  } as unknown as Window
  const editing = createEditing(view, { router: null, actions: null, startRouter() {} })
  await editing.open({
    ...newEntry({ description, page: { ...place, from: '/', beside: [] } }),
    id,
  })
  const replacedOn = (pathname: string, search: string) => {
    const page = { route: { pathname, search } } as ServerCall['page']
    return editing.replacedBy({ page }, description)
  }
  return { editing, replacedOn }
}

test('sending the form of an edited entry replaces the entry once', async () => {
  const { replacedOn } = await edit()
  expect(replacedOn('/notes', '?id=1')).toBe(7)
  expect(replacedOn('/notes', '?id=1')).toBe(null)
})

test.each([
  ['/notes', '?id=2'],
  ['/notes', ''],
  ['/other', '?id=1'],
])('the same form on %s%s does not replace the entry', async (pathname, search) => {
  const { replacedOn } = await edit()
  expect(replacedOn(pathname, search)).toBe(null)
})

test('editing ends when the user leaves the page or sends the entry unchanged', async () => {
  const left = await edit()
  left.editing.forget()
  expect(left.replacedOn('/notes', '?id=1')).toBe(null)
  const sent = await edit(7)
  sent.editing.forget(8)
  sent.editing.forget(7)
  expect(sent.replacedOn('/notes', '?id=1')).toBe(null)
  const other = await edit(7)
  other.editing.forget(8)
  expect(other.replacedOn('/notes', '?id=1')).toBe(7)
})
