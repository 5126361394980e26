import { basePath } from 'waymark'
import type { LiveClient, LiveRouter } from 'waymark/internal'
import { type LiveMessage, livePath } from '../shared/messages.ts'
import type { Subscription } from '../shared/row.ts'
import { createRenewals } from './renewals.ts'
import { current, liveStore } from './state.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createTabs } from './tabs.ts'

const url = basePath + livePath
/** A connection that comes back at once was none that a person need know of. */
const behindAfterMs = 3_000

let start = () => {}
let update = () => {}
const subscriptions = createSubscriptions(() => {
  start()
  update()
})

/** What the core calls in browsers. */
export const live: LiveClient = {
  read: subscriptions.read,
  onLive(startRouter) {
    start = startRouter
  },
  attach(router) {
    start = () => {}
    update = follow(router)
    update()
  },
}

/** @returns looks at what is on the screen now */
function follow(router: LiveRouter): () => void {
  const isVisible = () => document.visibilityState === 'visible'
  const followed = () => router.renderings().flatMap((id) => subscriptions.of(id) ?? [])
  const renewals = createRenewals({ router, followed, isVisible, isChanged })
  const tabs = createTabs({
    url,
    onState: showState(),
    onChanged(reads) {
      if (followed().some((each) => reads.includes(each.reads))) renewals.ask()
    },
  })
  let session = router.session()

  function look(): void {
    const own = isVisible() ? followed() : []
    tabs.follow(new Map(own.map(({ reads, sealed }) => [reads, sealed])))
    if (router.session() !== session) {
      session = router.session()
      tabs.reconnect()
    }
    renewals.look()
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  // The payload has ended a little before its page is on the screen.
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(look, 50)
  }
  router.onCommit(soon)
  document.addEventListener('visibilitychange', look)
  addEventListener('pageshow', look)
  addEventListener('online', look)
  addEventListener('storage', soon)
  addEventListener('pagehide', () => tabs.follow(new Map()))
  return soon
}

async function isChanged(asked: readonly Subscription[]): Promise<boolean> {
  const body = JSON.stringify({ pages: asked.map(({ sealed }) => sealed), wait: false })
  try {
    const response = await fetch(url, { method: 'POST', body, cache: 'no-store' })
    const { changed = [], gone = [] } = (await response.json()) as LiveMessage
    return changed.length + gone.length > 0
  } catch {
    // Page data will tell.
    return true
  }
}

function showState(): (isConnected: boolean) => void {
  const store = liveStore()
  let timer: ReturnType<typeof setTimeout> | undefined
  return (isConnected) => {
    if (isConnected) {
      clearTimeout(timer)
      timer = undefined
      store.set(current)
    } else if (timer === undefined) {
      const since = new Date()
      timer = setTimeout(() => store.set({ state: 'behind', since }), behindAfterMs)
    }
  }
}
