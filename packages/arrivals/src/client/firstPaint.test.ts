import { afterEach, expect, test, vi } from 'vitest'
import { onFirstPaint } from './firstPaint.ts'

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
  const paints: (number | null)[] = []
  onFirstPaint(view, (atMs) => paints.push(atMs))
  return { paints, paint: () => tell() }
}

test('a painted document is shown at once, so that stored events belong to the next load', () => {
  expect(setUp(true).paints).toEqual([120])
})

test('a document that is painted later is shown then', () => {
  const { paints, paint } = setUp(false)
  expect(paints).toEqual([])
  paint()
  expect(paints).toEqual([120])
})

test('a document that nobody sees has no time', () => {
  expect(setUp(false, 'hidden').paints).toEqual([null])
})
