import type { DevEvent } from '../events/events.ts'
import { bytesText, element, facts, note, shortUrl, table, timeText } from './element.ts'
import type { PanelTab } from './panelTab.ts'

type PrefetchEvent = Extract<DevEvent, { type: 'prefetch' }>

/** A prefetch of a page, and its result. */
export type LedgerEntry = {
  readonly url: string
  readonly state: PrefetchEvent['state']
  readonly bytes: number
  /** Time of the prefetch in milliseconds since the epoch. */
  readonly atMs: number
}

const meanings: Readonly<Record<PrefetchEvent['state'], string>> = {
  send: 'loading',
  fetch: 'loaded, not used yet',
  nothing: 'not prefetched, loads on click',
  fail: 'failed',
  use: 'used',
  waste: 'wasted: expired before it was used',
}

/** Summarises prefetches and their results. @param events in the order in which they happened */
export function ledgerOf(events: readonly DevEvent[]) {
  const entries = new Map<string, LedgerEntry>()
  let fetched = 0
  let used = 0
  let wasted = 0
  let bytes = 0
  let wastedBytes = 0
  for (const event of events) {
    if (event.type !== 'prefetch') continue
    const { url, state, at } = event
    const before = entries.get(url)
    if (state === 'fetch') {
      fetched += 1
      bytes += event.bytes
    }
    if (state === 'use') used += 1
    if (state === 'waste') {
      wasted += 1
      wastedBytes += event.bytes || (before?.bytes ?? 0)
    }
    entries.delete(url)
    entries.set(url, { url, state, bytes: event.bytes || (before?.bytes ?? 0), atMs: at })
  }
  const list = [...entries.values()].toReversed()
  return { entries: list, fetched, used, wasted, bytes, wastedBytes }
}

/** Shows which pages were prefetched, and which prefetches were used. */
export const prefetchTab: PanelTab = {
  id: 'prefetch',
  title: 'Prefetch',
  isLive: true,
  async render({ events }) {
    const ledger = ledgerOf(await events.list())
    const { entries, fetched, used, wasted, bytes, wastedBytes } = ledger
    if (entries.length === 0) {
      return note(
        'No pages have been prefetched yet. Links near the viewport are prefetched when the browser is idle, and others when the pointer rests on them.',
      )
    }
    const rows = entries.map(({ url, state, bytes, atMs }) => [
      element('code', {}, shortUrl(url)),
      element('span', { className: `state ${state}` }, meanings[state]),
      bytes > 0 ? bytesText(bytes) : '–',
      `${timeText(Date.now() - atMs)} ago`,
    ])
    return element(
      'div',
      {},
      facts([
        ['Fetched', `${fetched} ${fetched === 1 ? 'page' : 'pages'}, ${bytesText(bytes)}`],
        ['Used', String(used)],
        ['Wasted', `${wasted}, ${bytesText(wastedBytes)}`],
      ]),
      note(
        'In development, every page is rendered on request. Links near the viewport are therefore only prefetched when the pointer rests on them.',
      ),
      table('Prefetched pages', ['Page', 'State', 'Size', 'Since'], rows),
    )
  },
}
