import type { ReactNode } from 'react'
import { findSegment, instanceKeysOf } from '../../components/Slot.tsx'
import type { Payload, PayloadSegment } from '../../wire/payload.ts'
import { maxBeside } from '../../wire/protocol.ts'

/** A complete page in the browser. Segments that the response omitted come from the mounted page. */
export type Page = Payload & {
  readonly key: string
  /** Time at which the page's data was fetched, in milliseconds since the epoch. */
  readonly fetchedAtMs: number
  /** Version of the tab's data when the page was requested, as in `TabState`. */
  readonly version: number
  /**
   * Pathname that decides which routes intercept. For an intercepting page, it is the pathname of
   * the page behind.
   */
  readonly from: string
  /** Query of the page behind an intercepting page. */
  readonly fromSearch?: string | undefined
  /** Pathnames of previous pages whose content is still shown in slots of this page. */
  readonly beside?: readonly string[]
  /** The parts of these pages that are still shown. */
  readonly staying?: readonly OtherContent[]
  /** Ids of the page's mounted segments, by segment key. Each visit to a page creates new ids. */
  readonly instances: Readonly<Record<string, string>>
}

/** The part of another page that the current page shows. */
export type OtherContent = Pick<Page, 'from'> & {
  readonly pathname: string
  readonly search: string
  /** Keys of the segments that are still shown. */
  readonly keys: readonly string[]
}

type PageEntry = Pick<Page, 'key' | 'fetchedAtMs' | 'version'>

/**
 * Completes a fetched page: segments that the response omitted, and slots without content, come
 * from the mounted page.
 */
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
  const staying = stayingContents(payload, tree, mounted)
  const beside = [...new Set(staying.map(({ pathname }) => pathname))]
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
    staying,
    ...entry,
  }
  return theme === undefined ? page : { ...page, theme }
}

/** If the next page has only a `default` for a slot, keeps the slot's content. */
function keepSlots(next: Payload, mounted: Page): PayloadSegment {
  // A URL without a route isn't one of the app's pages, so don't keep any slots.
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

function stayingContents(
  next: Payload,
  tree: PayloadSegment,
  mounted: Page,
): readonly OtherContent[] {
  const nextKeys = new Set(instanceKeysOf(next.tree))
  const keys = new Set(instanceKeysOf(tree).filter((key) => !nextKeys.has(key)))
  const take = (from: Iterable<string>) => [...from].filter((key) => keys.delete(key))
  const earlier = (mounted.staying ?? []).map((part) => ({ ...part, keys: take(part.keys) }))
  const { pathname, search } = mounted.route
  const all = [...earlier, { pathname, search, from: mounted.from, keys: take(keys) }]
  const others = all.filter((part) => part.pathname !== next.route.pathname && part.keys.length > 0)
  return others.slice(-maxBeside)
}

function isDefault({ key }: PayloadSegment): boolean {
  return key.endsWith('#default')
}

/** Returns a page with a different history entry and possibly a different address. */
export function movedPage(
  page: Page,
  { key, url }: { readonly key: string; readonly url?: URL | undefined },
): Page {
  if (!url) return { ...page, key }
  const { pathname, search } = url
  // Keep the page behind an intercepting page.
  const from = isOver(page) ? page.from : pathname
  const { route, rendered = route } = page
  // Keep `rendered`: parts that aren't hydrated yet must first render with the address that the
  // server rendered.
  return { ...page, key, from, rendered, route: { ...route, pathname, search } }
}

/** Returns the page behind an intercepting page, or `undefined` for any other page. */
export function backgroundOf(page: Page): { from: string; search: string } | undefined {
  return isOver(page) ? { from: page.from, search: page.fromSearch ?? '' } : undefined
}

/** Returns the page behind an intercepting page, or the page itself. */
export function rearOf(page: Page): { from: string; search: string } {
  return backgroundOf(page) ?? { from: page.route.pathname, search: page.route.search }
}

/** True for a page that is shown over a different page, such as a modal. */
export function isOver({ from, route }: Page): boolean {
  return from !== route.pathname
}

/**
 * Returns the parts of other pages that this page shows: the page behind it, and content that stays
 * in slots.
 */
export function otherContents(page: Page): readonly OtherContent[] {
  const { staying = [], from, tree } = page
  const behind = backgroundOf(page)
  if (!behind) return staying
  return [{ from, pathname: from, search: behind.search, keys: instanceKeysOf(tree) }, ...staying]
}

/** Returns the page with a new rendering of a part of another page. */
export function withOtherContent(page: Page, { keys }: OtherContent, rendered: Payload): Page {
  const segments: Record<string, ReactNode> = { ...page.segments }
  for (const key of keys) {
    if (key in rendered.segments) segments[key] = rendered.segments[key]
  }
  return { ...page, segments }
}

export function layoutKeys(tree: PayloadSegment): string[] {
  if (!tree.slots) return []
  return [tree.key, ...Object.values(tree.slots).flatMap(layoutKeys)]
}

/** Returns `before` with the segments that an action has updated since. */
export function mountedSince(before: Page, now: Page): Page {
  if (now === before) return before
  return {
    ...now,
    segments: { ...before.segments, ...now.segments },
    instances: { ...before.instances, ...now.instances },
  }
}

/**
 * Returns the mounted page without its innermost segment's id, so that the segment is mounted again
 * and only layouts stay.
 */
export function withoutPageInstance(mounted: Page): Page {
  const { [endOf(mounted.tree)]: _, ...instances } = mounted.instances
  return { ...mounted, instances }
}

/** Placeholder for a segment that hasn't arrived. Makes React show the loading screen. */
const pending = new Promise<never>(() => {})

/**
 * Builds a page from a prefetched shell, with the loading screen in place of the page.
 * @returns `null` if the shell shows nothing new or needs a layout that is missing
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
  // Keep the previous title and tags until the page arrives with the new ones.
  const { head } = mounted
  return { ...completePage({ ...payload, tree, segments, head }, mounted, entry), isShell: true }
}

function endOf({ key, slots }: PayloadSegment): string {
  return slots?.children ? endOf(slots.children) : key
}

/** Keeps the segments that are mounted in the slots next to the page. */
function withMounted(segment: PayloadSegment, mounted: PayloadSegment): PayloadSegment {
  const { key, slots } = segment
  if (!slots) return findSegment(mounted, key) ?? segment
  const entries = Object.entries(slots).map(([name, child]) => [name, withMounted(child, mounted)])
  return { key, slots: Object.fromEntries(entries) }
}

function segmentsOf(tree: PayloadSegment): PayloadSegment[] {
  return [tree, ...Object.values(tree.slots ?? {}).flatMap(segmentsOf)]
}
