import type { ReactNode } from 'react'
import { findSegment, instanceKeysOf } from '../../components/Slot.tsx'
import type { Payload, PayloadSegment } from '../../wire/payload.ts'
import { maxBeside } from '../../wire/protocol.ts'

/** A page in the browser: complete, whatever its response left out. */
export type Page = Payload & {
  readonly key: string
  /** When its data was fetched, in milliseconds since the epoch. */
  readonly fetchedAtMs: number
  /** How many changes the tab knew of when the data was requested: it shows none of later ones. */
  readonly version: number
  /** Decides about interceptions: its own pathname, or that of the page in the background. */
  readonly from: string
  /** The query of the page in the background, where it is shown over one. */
  readonly fromSearch?: string | undefined
  /** Pathnames of pages before it that slots of it go on showing. */
  readonly beside?: readonly string[]
  /** Which mounting of a segment it shows, by segment key: a page visited again has another one. */
  readonly instances: Readonly<Record<string, string>>
}

type PageEntry = Pick<Page, 'key' | 'fetchedAtMs' | 'version'>

/** Completes what a navigation fetched: what was left out, and slots without content, stay. */
export function completePage(payload: Payload, mounted: Page, entry: PageEntry): Page {
  const segments: Record<string, ReactNode> = {}
  const instances: Record<string, string> = {}
  const tree = keepSlots(payload, mounted)
  for (const key of instanceKeysOf(tree)) {
    segments[key] = key in payload.segments ? payload.segments[key] : mounted.segments[key]
    instances[key] = mounted.instances[key] ?? `${key} ${entry.fetchedAtMs}`
  }
  const { route, head, theme } = payload
  const from = payload.isOver ? mounted.from : route.pathname
  const behind = isOver(mounted) ? mounted.fromSearch : mounted.route.search
  const fromSearch = payload.isOver ? behind : undefined
  const beside = pathnamesBeside(payload, tree, mounted)
  const { rendering = '' } = payload
  const page = {
    tree,
    route,
    head,
    segments,
    rendering,
    instances,
    from,
    fromSearch,
    beside,
    ...entry,
  }
  return theme === undefined ? page : { ...page, theme }
}

/** A slot keeps its page where another page has only a `default` for it. */
function keepSlots(next: Payload, mounted: Page): PayloadSegment {
  // A URL without a route is no place inside of the app.
  if (endOf(next.tree).endsWith('#not-found')) return next.tree
  const isGone = ({ key }: PayloadSegment) => !(key in next.segments) && !(key in mounted.segments)
  return keepBelow(next.tree, mounted.tree, (child) => isDefault(child) || isGone(child))
}

function keepBelow(
  next: PayloadSegment,
  mounted: PayloadSegment | undefined,
  isPreserved: (child: PayloadSegment) => boolean,
): PayloadSegment {
  const { key, slots } = next
  if (!slots || !mounted?.slots || mounted.key !== key) return next
  const entries = Object.entries(slots).map(([name, child]): [string, PayloadSegment] => {
    const mountedSlot = mounted.slots?.[name]
    return [
      name,
      mountedSlot && isPreserved(child) ? mountedSlot : keepBelow(child, mountedSlot, isPreserved),
    ]
  })
  return { key, slots: Object.fromEntries(entries) }
}

function pathnamesBeside(next: Payload, tree: PayloadSegment, mounted: Page): readonly string[] {
  const nextKeys = new Set(instanceKeysOf(next.tree))
  if (instanceKeysOf(tree).every((key) => nextKeys.has(key))) return []
  const all = [...(mounted.beside ?? []), mounted.route.pathname]
  const others = all.filter((pathname) => pathname !== next.route.pathname)
  return [...new Set(others)].slice(-maxBeside)
}

function isDefault({ key }: PayloadSegment): boolean {
  return key.endsWith('#default')
}

/** A page under another history entry, and perhaps another address. */
export function movedPage(
  page: Page,
  { key, url }: { readonly key: string; readonly url?: URL | undefined },
): Page {
  if (!url) return { ...page, key }
  const { pathname, search } = url
  // A page that is shown over another one stays there.
  const from = isOver(page) ? page.from : pathname
  const { route, rendered = route } = page
  // Parts that are not hydrated yet must first render with the address of the HTML.
  return { ...page, key, from, rendered, route: { ...route, pathname, search } }
}

/** The page behind an intercepted page; `undefined` if the page fills the screen. */
export function backgroundOf(page: Page): { from: string; search: string } | undefined {
  return isOver(page) ? { from: page.from, search: page.fromSearch ?? '' } : undefined
}

/** The page that is on the screen, or in the background of the one that is. */
export function rearOf(page: Page): { from: string; search: string } {
  return backgroundOf(page) ?? { from: page.route.pathname, search: page.route.search }
}

export function isOver({ from, route }: Page): boolean {
  return from !== route.pathname
}

/** A page that is shown over another one, with a later rendering of that one behind it. */
export function withBehind(page: Page, behind: Payload): Page {
  const segments: Record<string, ReactNode> = { ...page.segments }
  for (const key of instanceKeysOf(page.tree)) {
    if (key in behind.segments) segments[key] = behind.segments[key]
  }
  return { ...page, segments }
}

export function layoutKeys(tree: PayloadSegment): string[] {
  if (!tree.slots) return []
  return [tree.key, ...Object.values(tree.slots).flatMap(layoutKeys)]
}

/** The page that was mounted, with what an action has updated while another page loaded. */
export function mountedSince(before: Page, now: Page): Page {
  if (now === before) return before
  return {
    ...now,
    segments: { ...before.segments, ...now.segments },
    instances: { ...before.instances, ...now.instances },
  }
}

/** The page that was mounted, for a later one that shares its layouts, and not the page itself. */
export function withoutPageInstance(mounted: Page): Page {
  const { [endOf(mounted.tree)]: _, ...instances } = mounted.instances
  return { ...mounted, instances }
}

/** In place of a segment that is still to come: it keeps the loading screen on. */
const pending = new Promise<never>(() => {})

/**
 * Builds a page of a prefetched shell, with the loading screen in place of the page.
 * @returns `null` when there is nothing new to show, or a layout is missing
 */
export function shellPage(payload: Payload, mounted: Page, entry: PageEntry): Page | null {
  if (endOf(payload.tree) in mounted.segments) return null
  const tree = withMounted(payload.tree, mounted.tree)
  const segments: Record<string, ReactNode> = { ...payload.segments, ...mounted.segments }
  for (const { key, slots } of segmentsOf(tree)) {
    if (key in segments) continue
    if (slots) return null
    segments[key] = pending
  }
  // Its title comes with the page.
  const { head } = mounted
  return { ...completePage({ ...payload, tree, segments, head }, mounted, entry), isShell: true }
}

function endOf({ key, slots }: PayloadSegment): string {
  return slots?.children ? endOf(slots.children) : key
}

/** Slots beside the page go on showing the segments that are mounted in them. */
function withMounted(segment: PayloadSegment, mounted: PayloadSegment): PayloadSegment {
  const { key, slots } = segment
  if (!slots) return findSegment(mounted, key) ?? segment
  const entries = Object.entries(slots).map(([name, child]) => [name, withMounted(child, mounted)])
  return { key, slots: Object.fromEntries(entries) }
}

function segmentsOf(tree: PayloadSegment): PayloadSegment[] {
  return [tree, ...Object.values(tree.slots ?? {}).flatMap(segmentsOf)]
}
