/** State of the page on the screen: current, or possibly outdated. */
export type LiveState = {
  readonly state: 'current' | 'behind'
  /** Time since which changes may be missing; `null` while the page is current. */
  readonly since: Date | null
}

export const current: LiveState = { state: 'current', since: null }

type LiveStore = {
  get(): LiveState
  set(state: LiveState): void
  subscribe(listener: () => void): () => void
}

const key = Symbol.for('waymark.live')

/**
 * Returns this tab's state. There is only one per tab, even if a bundler includes this module
 * several times.
 */
export function liveStore(): LiveStore {
  const shared = globalThis as { [key]?: LiveStore }
  shared[key] ??= createStore()
  return shared[key]
}

function createStore(): LiveStore {
  let state = current
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(next) {
      if (next.state === state.state) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Milliseconds for which a connection may be lost before the page counts as outdated. */
const behindAfterMs = 3_000

/**
 * Creates the tab's live state. The page counts as outdated while there is no connection or the page
 * can't be fetched.
 */
export function createLiveState() {
  const store = liveStore()
  const status = { isConnected: true, isFailing: false }
  let timer: ReturnType<typeof setTimeout> | undefined

  function change(next: Partial<typeof status>): void {
    const { isConnected, isFailing } = Object.assign(status, next)
    if (isConnected && !isFailing) {
      clearTimeout(timer)
      timer = undefined
      store.set(current)
    } else if (timer === undefined) {
      const since = new Date()
      timer = setTimeout(() => store.set({ state: 'behind', since }), behindAfterMs)
    }
  }

  return {
    connected: (isConnected: boolean) => change({ isConnected }),
    failing: (isFailing: boolean) => change({ isFailing }),
  }
}
