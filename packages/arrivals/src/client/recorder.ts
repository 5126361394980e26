import { patterns } from 'virtual:waymark/patterns'
import { basePath } from 'waymark'
import { arrivalsPath, type Beacon, longestLoadMs } from '../shared/load.ts'
import { createBeaconSender } from './beaconSender.ts'
import { reportClosedDocuments } from './closedDocuments.ts'
import { onFirstPaint } from './firstPaint.ts'
import { readHandover, writeHandover } from './handover.ts'
import { createLoadTracker, type EndedLoad, type LoadEvent } from './loadTracker.ts'
import { matchPattern } from './matchPattern.ts'
import { postBeacon } from './postBeacon.ts'
import { recentArrivals } from './recentArrivals.ts'
import { beaconsKey, createStoredList } from './storedList.ts'

/** Starts counting loads: the document's own load, loads stored by closed documents, and future loads. */
export function startRecorder(view: Window, isDocumentCounted: boolean) {
  const { performance, navigator, document, location } = view
  const storedBeacons = createStoredList<Beacon>(() => view.localStorage, beaconsKey)
  const isOnline = () => navigator.onLine
  const target = basePath + arrivalsPath
  const sender = createBeaconSender({
    build: () => buildOf(document),
    isOnline,
    post: (text) => postBeacon(target, text),
    keep: storedBeacons.keep,
    takeStored: storedBeacons.take,
    inOneTab: (run) => inOneTab(navigator, run),
  })
  const add = ({ url, ...load }: EndedLoad) => {
    for (const { add } of [sender, recentArrivals]) add({ route: routeOf(url), ...load })
  }
  const tracker = createLoadTracker({
    onEnd: add,
    onHandover: (url, handover) => writeHandover(view, url, handover, performance.timeOrigin),
    isOnline,
  })

  reportClosedDocuments(view, add)
  if (!isDocumentCounted) {
    tracker.begin(location.href, readHandover(view))
    onFirstPaint(view, (atMs) => tracker.show(atMs, statusOf(performance), digestOf(document)))
  }

  const onHide = () => {
    tracker.giveUp(performance.now())
    sender.flush()
  }
  // Listen on the window, so that this listener runs after the document's listeners, which make the
  // vitals final.
  view.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') onHide()
  })
  // Also listen for `pagehide`, because Safari closes a page without `visibilitychange`.
  view.addEventListener('pagehide', onHide)
  view.addEventListener('pageshow', ({ persisted, timeStamp }) => {
    if (!persisted) return
    const ms = Math.max(0, Math.round(performance.now() - timeStamp))
    add({ url: location.href, kind: 'traverse', outcome: 'page', ms, attempts: 1 })
  })
  view.addEventListener('online', () => void sender.sendStored())
  view.setInterval(() => {
    if (tracker.isOverdue(performance.now())) tracker.giveUp(performance.now())
  }, longestLoadMs / 12)
  void sender.sendStored()
  // Ignore the error if this code fails to load. Only vitals are missing then.
  import('./vitals.ts').then(
    ({ watchVitals }) =>
      watchVitals((url, vital) => sender.addVital({ route: routeOf(url), ...vital })),
    () => {},
  )
  return { record: (event: LoadEvent, atMs: number) => tracker.record(event, atMs) }
}

function routeOf(url: string): string | null {
  const { pathname } = new URL(url)
  const isOurs = pathname === basePath || pathname.startsWith(`${basePath}/`)
  return isOurs ? matchPattern(patterns, pathname.slice(basePath.length)) : null
}

/**
 * Runs `send` in one tab at a time. In browsers without Web Locks, as over plain HTTP, two tabs may send
 * the same beacon.
 */
async function inOneTab({ locks }: Navigator, run: () => Promise<void>): Promise<void> {
  if (!locks) return run()
  // Ignore errors in a frame with an opaque origin, which can use neither locks nor storage.
  await locks.request(beaconsKey, { ifAvailable: true }, (lock) => lock && run()).catch(() => {})
}

/**
 * Reads the build from the document's payload. Text in the payload can't match, because its quotes are
 * escaped.
 */
function buildOf({ defaultView, scripts }: Document): string | null {
  const chunks = (defaultView as { __waymark?: readonly unknown[] } | null)?.__waymark ?? []
  const blocks = [...scripts].filter(({ type }) => type === 'text/x-component')
  const texts = [...chunks.map(String), ...blocks.map(({ textContent }) => textContent)]
  for (const text of texts) {
    const [, build] = /[{,]"build":"([\w-]{1,64})[."]/.exec(text) ?? []
    if (build !== undefined) return build
  }
  return null
}

/** @returns `null` if the browser doesn't report it */
function statusOf(performance: Performance): number | null {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.responseStatus || null
}

/** Returns the digest that a built-in screen shows. */
function digestOf(document: Document): string | null {
  const text = document.querySelector('.waymark-screen-digest')?.textContent ?? ''
  return /[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{3}/.exec(text)?.[0] ?? null
}
