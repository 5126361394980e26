import { afterEach, expect, test, vi } from 'vitest'
import { whenShown } from './whenShown.ts'

const name = 'first-contentful-paint'
const paint = { startTime: 120 }

afterEach(() => void vi.unstubAllGlobals())

function setUp(painted: boolean, visibilityState = 'visible') {
  let tell = () => {}
  class Observer {
    constructor(onEntries: (list: unknown) => void) {
      tell = () =>
        onEntries({ getEntriesByName: (wanted: string) => (wanted === name ? [paint] : []) })
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('PerformanceObserver', Observer)
  const view = {
    document: { visibilityState },
    performance: { getEntriesByName: () => (painted ? [paint] : []) },
  } as unknown as Window
  const shown: (number | null)[] = []
  whenShown(view, (atMs) => shown.push(atMs))
  return { shown, paint: () => tell() }
}

test('a document that was painted is shown at once: an event that waited is about the next load', () => {
  expect(setUp(true).shown).toEqual([120])
})

test('one that is painted later is shown then', () => {
  const { shown, paint } = setUp(false)
  expect(shown).toEqual([])
  paint()
  expect(shown).toEqual([120])
})

test('one that nobody sees has no time', () => {
  expect(setUp(false, 'hidden').shown).toEqual([null])
})
