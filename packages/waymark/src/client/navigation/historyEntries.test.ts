import { expect, onTestFinished, test, vi } from 'vitest'
import { createHistoryEntries } from './historyEntries.ts'

/** A fake window with only the parts that history entries use: a list of states with a cursor. */
function fakeWindow(state: unknown = null) {
  const states: unknown[] = [state]
  let at = 0
  const history = {
    get state() {
      return states[at]
    },
    pushState(next: unknown) {
      at++
      states.splice(at, states.length, next)
    },
    replaceState(next: unknown) {
      states[at] = next
    },
    go: (delta: number) => {
      at += delta
    },
  }
  const location = { href: 'https://example.com/app' }
  const view = Object.assign(new EventTarget(), { history, location })
  return {
    view: view as unknown as Window,
    states,
    browserPush: () => states.splice(++at, 9, null),
  }
}

function entriesOf(view: Window) {
  let count = 0
  return createHistoryEntries(view, () => `k${++count}`)
}
const url = new URL('https://example.com/next')

test('every entry gets a key, including the first one', () => {
  const { view } = fakeWindow()
  const entries = entriesOf(view)
  expect(entries.currentKey()).toBe('k1')
  expect(entries.write('push', url)).toBe('k2')
  expect(entries.currentKey()).toBe('k2')
})

test('a key outlives the document', () => {
  const { view } = fakeWindow({ waymark: { key: 'old', index: 4 } })
  expect(entriesOf(view).currentKey()).toBe('old')
})

test("the app's state stays, and entries that the app writes are reported", () => {
  const { view } = fakeWindow()
  const entries = entriesOf(view)
  const onAppWrite = vi.fn()
  entries.onAppWrite(onAppWrite)
  view.history.replaceState({ mine: 1 }, '')
  expect(view.history.state).toMatchObject({ mine: 1, waymark: { key: 'k1' } })
  view.history.pushState('text', '')
  expect(view.history.state).toMatchObject({ app: 'text', waymark: { key: 'k2' } })
  expect(onAppWrite).toHaveBeenCalledTimes(2)
})

test('an entry that the browser created gets a key when the key is read', () => {
  const { view, browserPush } = fakeWindow()
  const entries = entriesOf(view)
  expect(entries.isUnknown()).toBe(false)
  browserPush()
  expect(entries.isUnknown()).toBe(true)
  expect(entries.currentKey()).toBe('k2')
  expect(entries.isUnknown()).toBe(false)
})

test('undo goes back the whole distance of a canceled traversal', () => {
  const { view } = fakeWindow()
  const entries = entriesOf(view)
  for (let count = 0; count < 3; count++) entries.write('push', url)
  view.history.go(-2)
  expect(entries.currentKey()).toBe('k2')
  entries.undo()
  expect(entries.currentKey()).toBe('k4')
  view.history.go(-1)
  entries.settle()
  entries.undo()
  expect(entries.currentKey()).toBe('k3')
})

test('a package that wraps the methods of the history sees navigations', () => {
  const { view, states } = fakeWindow()
  const entries = entriesOf(view)
  const onAppWrite = vi.fn()
  entries.onAppWrite(onAppWrite)
  const seen: string[] = []
  for (const method of ['pushState', 'replaceState'] as const) {
    const inner = view.history[method]
    view.history[method] = (state, unused, target) => {
      seen.push(`${method} ${target}`)
      inner.call(view.history, { ...(state as object), seen: true }, unused, target)
    }
  }
  entries.write('push', url)
  expect(entries.write('replace', url)).toBe(entries.currentKey())
  expect(seen).toEqual([`pushState ${url}`, `replaceState ${url}`])
  expect(states).toEqual([
    { waymark: { key: 'k1', index: 0 } },
    { seen: true, waymark: { key: 'k3', index: 1 } },
  ])
  expect(onAppWrite).not.toHaveBeenCalled()
})

test.each([
  ['throws', () => expect.fail('of the package')],
  ['loses the entry', () => {}],
])('a navigation succeeds even if such a wrapper %s', (_what, wrapper) => {
  const { view } = fakeWindow()
  const reportError = vi.fn()
  Object.assign(view, { reportError })
  const entries = entriesOf(view)
  view.history.pushState = wrapper
  expect(entries.write('push', url)).toBe(entries.currentKey())
})

test.each(['navigation', 'window'])('events of %s reveal that a document is loading', (source) => {
  const { view } = fakeWindow()
  const navigation = new EventTarget()
  if (source === 'navigation') Object.assign(view, { navigation })
  const open = (sameDocument: boolean) => {
    const destination = { sameDocument }
    navigation.dispatchEvent(Object.assign(new Event('navigate'), { destination }))
    if (!sameDocument) view.dispatchEvent(new Event('beforeunload'))
  }
  const { isLeaving } = entriesOf(view)
  open(true)
  expect(isLeaving()).toBe(false)
  open(false)
  expect(isLeaving()).toBe(true)
  const startedAtMs = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(startedAtMs + 10_001)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(isLeaving()).toBe(false)
})
