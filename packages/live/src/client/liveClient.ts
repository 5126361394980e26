import { basePath } from 'waymark'
import { type LiveClient, sessionKey } from 'waymark/internal'
import { livePath } from '../shared/messages.ts'
import type { Subscription } from '../shared/row.ts'
import { createRenewals } from './renewals.ts'
import { askOnce } from './requests.ts'
import { createStateTimer } from './state.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createTabs } from './tabs.ts'

type Router = Parameters<LiveClient['attach']>[0]

const url = basePath + livePath

let start = () => {}
let update = () => {}
const subscriptions = createSubscriptions(() => {
  start()
  update()
})

/** What the core calls in browsers. */
export const live: LiveClient = {
  readEnd: subscriptions.readEnd,
  onLive(startRouter) {
    start = startRouter
  },
  attach(router) {
    start = () => {}
    update = keepCurrent(router)
    update()
  },
}

/** @returns call it when another page may be on the screen */
function keepCurrent(router: Router): () => void {
  const isVisible = () => document.visibilityState === 'visible'
  const shown = createShown(router)
  const renewals = createRenewals({
    isVisible,
    rendering: () => renderingOf(router),
    isBusy: () => router.store.get().target !== null || router.calls.isBusy(),
    renew: router.renew,
    isChanged: () => isChanged(shown.list()),
  })
  const tabs = createTabs({
    url,
    onState: createStateTimer(),
    onChanged(reads) {
      if (shown.list().some((each) => reads.includes(each.reads))) renewals.ask()
    },
  })
  function look(): void {
    shown.look()
    const own = isVisible() ? shown.list() : []
    tabs.follow(new Map(own.map(({ reads, sealed }) => [reads, sealed])))
    renewals.look()
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  // A payload has ended a little before its page is on the screen.
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(look, 50)
  }
  router.events.on('commit', ({ kind }) => {
    shown.look(kind !== 'refresh')
    soon()
  })
  document.addEventListener('visibilitychange', look)
  for (const event of ['pageshow', 'online']) addEventListener(event, look)
  // The connection may not notice for long.
  addEventListener('offline', tabs.reconnect)
  addEventListener('pagehide', () => tabs.follow(new Map()))
  // Somebody signed in or out, in another tab.
  addEventListener('storage', ({ key }) => key === sessionKey && tabs.reconnect())
  return soon
}

/** Id of the page on the screen, as its payload has it. */
const renderingOf = ({ current }: Router): string => current().rendering ?? ''

// Of layouts that were left on the screen, at most so many.
const maxRenderings = 8

/** The renderings that the page on the screen is made of. */
function createShown(router: Router) {
  let ids: readonly string[] = []
  /** @param isPart a navigation leaves layouts of earlier renderings mounted; all else brings a whole page */
  const look = (isPart = false) => {
    const id = renderingOf(router)
    if (ids[0] !== id) ids = [id, ...(isPart ? ids : [])].slice(0, maxRenderings)
  }
  return {
    look,
    /** What the page follows; nothing where it is not live itself. */
    list(): Subscription[] {
      look()
      const [own] = ids
      if (own === undefined || !subscriptions.of(own)) return []
      return ids.flatMap((id) => subscriptions.of(id) ?? [])
    },
  }
}

async function isChanged(pages: readonly Subscription[]): Promise<boolean> {
  if (pages.length === 0) return false
  try {
    const sealed = pages.map((page) => page.sealed)
    const { changed = [], gone = [] } = await askOnce(url, sealed)
    return changed.length + gone.length > 0
  } catch {
    // Page data will tell.
    return true
  }
}
