import { basePath } from 'waymark'
import type { ClientHooks, PackageRouter } from 'waymark/plugin'
import { onSessionChange, readSessionMark } from 'waymark/plugin/client'
import { livePath } from '../shared/messages.ts'
import type { Subscription } from '../shared/subscriptionRow.ts'
import { showWhenBehind } from './behindNotice.ts'
import type { Followed } from './connection.ts'
import { type ChangeCheck, createRenewals } from './renewals.ts'
import { askOnce } from './requests.ts'
import { createLiveState } from './state.ts'
import { createTabs } from './tabs.ts'
import { setOnSubscription, subscriptions } from './watchPayloads.ts'

type Router = PackageRouter

const url = basePath + livePath

export const onRouter: ClientHooks['onRouter'] = (router) => {
  const update = keepCurrent(router)
  setOnSubscription(update)
  update()
}

/** @returns a function to call when a different page may be on the screen */
function keepCurrent(router: Router): () => void {
  const renderings = createRenderings(router)
  const state = createLiveState()
  showWhenBehind(window)
  const renewals = createRenewals({
    isVisible,
    rendering: () => renderingOf(router),
    isStale: () => renderings.list()[0]?.isStale === true,
    isBusy: () => router.store.get().target !== null || router.calls.isBusy(),
    renew: router.renew,
    isChanged: () => isChanged(renderings.list()),
    onFailing: state.failing,
  })
  const isRendered = (reads: readonly string[]) =>
    renderings.list().some((each) => reads.includes(each.reads))
  const tabs = createTabs({
    url,
    onState: state.connected,
    onChanged: (reads, from) => isRendered(reads) && renewals.ask(from),
    onGone: (reads) => isRendered(reads) && renewals.lose(),
  })
  const isOtherSession = createSessionWatch()
  const isChecked = (pages: readonly Subscription[]) => tabs.covers(byReads(pages))
  const checks = createChecks(renderings, { isChecked, check: renewals.check })

  function look(): void {
    const pages = isVisible() ? renderings.list() : []
    tabs.follow(byReads(pages))
    if (isOtherSession()) tabs.reconnect()
    renewals.look()
    checks.look()
  }
  const scheduleLook = createDebounce(look)
  router.events.on('commit', ({ kind }) => {
    renderings.look(kind !== 'refresh')
    // A refreshed page counts as checked. Changes that were announced during the refresh concerned
    // the previous rendering.
    if (kind === 'refresh') checks.done()
    scheduleLook()
  })
  document.addEventListener('visibilitychange', look)
  addEventListener('pageshow', look)
  // An open connection may take long to notice that the network has changed, so reconnect.
  for (const event of ['online', 'offline']) addEventListener(event, tabs.reconnect)
  addEventListener('pagehide', () => tabs.follow(new Map()))
  // Somebody may have signed in or out in a different tab, so check again.
  onSessionChange(look)
  return () => {
    // Listing the page marks it as recently used, so that it isn't forgotten.
    renderings.list()
    scheduleLook()
  }
}

/** Milliseconds within which the tab with the shared connection connects. */
const connectsWithinMs = 300

type Checking = {
  /** True if a connection checks these pages for changes. */
  readonly isChecked: (pages: readonly Subscription[]) => boolean
  readonly check: () => void
}

/** Checks each page when it appears for changes since it was rendered. */
function createChecks(
  { list }: ReturnType<typeof createRenderings>,
  { isChecked, check }: Checking,
) {
  let checked = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  function run(): void {
    const pages = isVisible() ? list() : []
    const id = pages[0]?.rendering ?? ''
    const isNew = id !== checked
    checked = id
    if (isNew && pages.length > 0 && !isChecked(pages)) check()
  }
  return {
    look(): void {
      if (!isVisible()) checked = ''
      clearTimeout(timer)
      timer = setTimeout(run, connectsWithinMs)
    },
    done(): void {
      checked = list()[0]?.rendering ?? ''
    },
  }
}

const isVisible = () => document.visibilityState === 'visible'

/**
 * Creates a debounced function, because a payload ends shortly before its page is on the screen.
 */
function createDebounce(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(run, 50)
  }
}

function byReads(pages: readonly Subscription[]): Followed {
  const all = new Map<string, readonly string[]>()
  for (const { reads, sealed } of pages) all.set(reads, [...(all.get(reads) ?? []), sealed])
  return all
}

/** @returns a function that is true if somebody has signed in or out in any tab since its last call */
function createSessionWatch(): () => boolean {
  let mark = readSessionMark()
  return () => {
    const before = mark
    mark = readSessionMark()
    return mark !== before
  }
}

/** Returns the id of the page on the screen, as in its payload. */
const renderingOf = ({ current }: Router): string => current().rendering ?? ''

// Maximum number of renderings whose layouts are still on the screen.
const maxRenderings = 8

/** Tracks the renderings that make up the page on the screen. */
function createRenderings(router: Router) {
  let ids: readonly string[] = []
  /**
   * @param isPart true for a navigation, which keeps layouts of earlier renderings; false if the
   * whole page is new
   */
  const look = (isPart = false) => {
    const id = renderingOf(router)
    if (ids[0] !== id) ids = [id, ...(isPart ? ids : [])].slice(0, maxRenderings)
  }
  return {
    look,
    /** Lists the subscriptions of the page and its layouts. Empty if the page itself isn't live. */
    list(): Subscription[] {
      look()
      const [pageId] = ids
      if (pageId === undefined || !subscriptions.of(pageId)) return []
      return ids.flatMap((id) => subscriptions.of(id) ?? [])
    },
  }
}

async function isChanged(pages: readonly Subscription[]): Promise<ChangeCheck> {
  if (pages.length === 0) return { isChanged: false, from: '' }
  try {
    const sealed = pages.map((page) => page.sealed)
    const { changed = [], gone = [], from = '' } = await askOnce(url, sealed)
    return { isChanged: changed.length + gone.length > 0, from }
  } catch {
    // If nobody can tell, assume that the page has changed.
    return { isChanged: true, from: '' }
  }
}
