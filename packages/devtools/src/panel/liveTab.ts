import type { DevEvent } from '../events/events.ts'
import { tagButton } from './cacheTab.ts'
import { element, facts, note, type PanelChild, table, timeText } from './element.ts'
import { appPathname } from './panelRequests.ts'
import type { PanelTab } from './panelTab.ts'

/** One rendering of a page that follows tags. */
export type LiveRendering = {
  /** Time of the rendering in milliseconds since the epoch. */
  readonly atMs: number
  readonly tags: readonly string[]
  /** Kind of the request that caused the rendering; `null` if the request is no longer known. */
  readonly kind: RequestKind | null
  /**
   * The page's tags that were invalidated since the previous rendering, with the milliseconds from
   * the invalidation to this rendering.
   */
  readonly changes: readonly { readonly tag: string; readonly beforeMs: number }[]
}

type RequestKind = Extract<DevEvent, { type: 'request' }>['kind']
type ChangeEvent = Extract<DevEvent, { type: 'change' }>

const livePath = '/_waymark/live'

const kinds: Readonly<Record<RequestKind, string>> = {
  document: 'the document',
  data: 'page data',
  prefetch: 'a prefetch',
  action: 'its own action',
}

/** Finds the renderings of a live page. @param events oldest first @returns newest first */
export function renderingsOf(events: readonly DevEvent[], pathname: string): LiveRendering[] {
  const kindByLoad = new Map<string | null, RequestKind>()
  const renderings: LiveRendering[] = []
  let changes: ChangeEvent[] = []
  for (const event of events) {
    if (event.type === 'request') kindByLoad.set(event.load, event.kind)
    if (event.type === 'change') changes.push(event)
    if (event.type !== 'live' || event.pathname !== pathname) continue
    const { at: atMs, tags, load } = event
    const kind = kindByLoad.get(load) ?? null
    const since = renderings.length > 0 ? changes : []
    renderings.push({ atMs, tags, kind, changes: changesOf(since, tags, atMs) })
    changes = []
  }
  return renderings.toReversed()
}

function changesOf(changes: readonly ChangeEvent[], tags: readonly string[], atMs: number) {
  const latest = new Map<string, number>()
  for (const { tags: ended, at } of changes) {
    const followed = ended === 'all' || tags.includes('*') ? ended : ended.filter(isOneOf(tags))
    for (const tag of followed === 'all' ? ['everything'] : followed) latest.set(tag, at)
  }
  return [...latest].map(([tag, at]) => ({ tag, beforeMs: atMs - at }))
}

const isOneOf = (tags: readonly string[]) => (tag: string) => tags.includes(tag)

/**
 * Counts the clients that are waiting for changes, and finds when the last request for changes was
 * completed.
 */
export function connectionsOf(events: readonly DevEvent[]) {
  const open = new Map<string | null, number>()
  let polledAtMs: number | null = null
  for (const event of events) {
    if (event.type === 'request' && event.url.endsWith(livePath)) open.set(event.load, event.at)
    if (event.type !== 'response' || !open.has(event.load)) continue
    if (event.isWhole) polledAtMs = event.at
    open.delete(event.load)
  }
  return { waiting: open.size, polledAtMs }
}

/**
 * Shows if the page is live and up to date, which tags it follows, and why it was rendered again.
 */
export const liveTab: PanelTab = {
  id: 'live',
  title: 'Live',
  // A lost connection causes no event, so update the tab every second.
  everyMs: 1_000,
  async render(context) {
    const { view, page, events } = context
    const all = await events.list()
    const pathname = appPathname(page())
    const renderings = renderingsOf(all, pathname)
    const [latest] = renderings
    if (!latest)
      return note(`${pathname} is not live, because its components don't follow any tags.`)
    const state = stateOf(view)
    return element(
      'div',
      {},
      element('h2', {}, element('span', { className: `badge ${state.name}` }, state.name)),
      facts([
        ['This tab', state.text],
        ['Connection', connectionText(all)],
        ['Follows', tagList(latest.tags, (tag) => tagButton(tag, context))],
      ]),
      note(
        'Click a tag to invalidate it, as updateTag() does. All pages that follow the tag are updated.',
      ),
      table(
        'Renderings of this page',
        ['When', 'Caused by', 'After a change to'],
        renderings.slice(0, maxRenderings).map(rowOf),
      ),
    )
  },
}

const maxRenderings = 50
const maxTags = 40

function tagList(tags: readonly string[], show: (tag: string) => PanelChild): HTMLElement {
  const more = tags.length > maxTags && `and ${tags.length - maxTags} more`
  return element('span', { className: 'tags' }, ...tags.slice(0, maxTags).map(show), more)
}

function rowOf({ atMs, kind, changes }: LiveRendering): PanelChild[] {
  const change = ({ tag, beforeMs }: LiveRendering['changes'][number]) =>
    element('span', {}, element('code', {}, tag), ` ${timeText(beforeMs)} before`)
  return [
    `${timeText(Date.now() - atMs)} ago`,
    kind === null ? '–' : kinds[kind],
    changes.length === 0 ? '–' : element('span', { className: 'tags' }, ...changes.map(change)),
  ]
}

/** The store of `useLive()` in the page's window. */
type LiveStore = { get(): { readonly state: 'current' | 'behind'; readonly since: Date | null } }

const storeKey = Symbol.for('waymark.live')

function stateOf(view: Window & { readonly [storeKey]?: LiveStore }) {
  const { state, since } = view[storeKey]?.get() ?? { state: 'current', since: null }
  const text = since ? `behind since ${since.toLocaleTimeString()}` : 'current'
  return { name: state === 'current' ? 'live' : state, text }
}

/**
 * Milliseconds for which the last completed request for changes is shown. If a proxy buffers the
 * stream, pages ask for changes every ten seconds.
 */
const asksWithinMs = 15_000

function connectionText(events: readonly DevEvent[]): string {
  const { waiting, polledAtMs } = connectionsOf(events)
  if (waiting > 0)
    return `${waiting} ${waiting === 1 ? 'client waits' : 'clients wait'} for changes`
  const sinceMs = Date.now() - (polledAtMs ?? 0)
  return sinceMs < asksWithinMs ? `no client waits; last request ${timeText(sinceMs)} ago` : 'none'
}
