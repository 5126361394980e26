/** The page in the background of an intercepted one: pathname and query. */
export type Background = { readonly from: string; readonly search: string }

/** The router's part of `history.state`, beside the app's state. */
type EntryState = {
  readonly waymark?: {
    readonly key: string
    readonly index: number
    /** Left out where the entry's page fills the screen. */
    readonly over?: Background | undefined
  }
}

/** The history of the tab, as far as the router needs it. */
export type HistoryEntries = {
  /** Key of the current entry; one that the browser created itself, for a hash, gets one now. */
  currentKey(): string
  /** True if the browser created the current entry, which has no key yet. */
  isUnknown(): boolean
  /** Key of the entry whose page is on the screen. */
  settledKey(): string
  /** The page behind the current entry's page; `null` if that page fills the screen. */
  background(): Background | null
  /** Creates an entry, or changes the current one. @returns its key */
  write(kind: 'push' | 'replace', url: URL, over?: Background | undefined): string
  /** The page of the current entry is on the screen. */
  settle(): void
  /** Goes back to the entry of the page on the screen, after a traversal that came to nothing. */
  undo(): void
  /** Calls back for entries that the app itself writes. */
  onAppWrite(listener: (url: URL, key: string) => void): void
  /** True while the browser opens any document: loading another one would cancel it. */
  isLeaving(): boolean
}

/** Takes over the history of a window; what the app writes to it is respected. */
export function createHistoryEntries(view: Window, createKey: () => string): HistoryEntries {
  const { history } = view
  const native = bindMethods(history)
  let listener: (url: URL, key: string) => void = () => {}
  // True while the router writes through the wrappers of packages around these methods.
  let isRouterWrite = false
  const stored = entryOf(history.state)
  // A document shows the page of its URL alone, also where that was opened over another one.
  const first = stored && { key: stored.key, index: stored.index }
  let settled: NonNullable<EntryState['waymark']> = first ?? { key: createKey(), index: 0 }
  const indexNow = () => entryOf(history.state)?.index ?? settled.index + 1
  const indexFor = (kind: 'push' | 'replace') => indexNow() + (kind === 'push' ? 1 : 0)

  function respect(kind: 'push' | 'replace') {
    return (state: unknown, unused: string, target?: string | URL | null) => {
      if (isRouterWrite) return native[kind](state, unused, target)
      const existing = entryOf(history.state)
      const key = kind === 'replace' && existing ? existing.key : createKey()
      const entry = { key, index: indexFor(kind), over: settled.over }
      native[kind](withEntry(state, entry), unused, target)
      settled = entry
      listener(new URL(view.location.href), key)
    }
  }
  history.pushState = respect('push')
  history.replaceState = respect('replace')
  if (!first || stored?.over) native.replace(withEntry(history.state, settled), '')

  function current(): NonNullable<EntryState['waymark']> {
    const existing = entryOf(history.state)
    if (existing) return existing
    // The browser creates entries for hashes: what is in the background stays.
    const entry = { key: createKey(), index: indexNow(), over: settled.over }
    native.replace(withEntry(history.state, entry), '')
    return entry
  }

  return {
    isUnknown: () => !entryOf(history.state),
    currentKey: () => current().key,
    settledKey: () => settled.key,
    background: () => parseBackground(current().over),
    write(kind, url, over) {
      const entry = { key: createKey(), index: indexFor(kind), over }
      isRouterWrite = true
      writeThrough(view, kind, { waymark: entry }, url)
      isRouterWrite = false
      if (entryOf(history.state)?.key !== entry.key) native[kind]({ waymark: entry }, '', url)
      settled = entry
      return entry.key
    },
    settle() {
      settled = current()
    },
    undo() {
      const delta = settled.index - indexNow()
      if (delta !== 0) history.go(delta)
    },
    onAppWrite(next) {
      listener = next
    },
    isLeaving: trackLeaving(view),
  }
}

function trackLeaving(view: Window): () => boolean {
  let leftAtMs = Number.NEGATIVE_INFINITY
  const { navigation } = view
  // Safari on iOS has no `beforeunload`, and Firefox does not cache pages that listen to it.
  const source: EventTarget = navigation ?? view
  source.addEventListener(navigation ? 'navigate' : 'beforeunload', (event) => {
    if (!(event as Partial<NavigateEvent>).destination?.sameDocument) leftAtMs = event.timeStamp
  })
  // A document that has not come after 10 s was a download, or was stopped.
  return () => performance.now() - leftAtMs < 10_000
}

const bindMethods = (history: History) => ({
  push: history.pushState.bind(history),
  replace: history.replaceState.bind(history),
})

// Packages wrap these methods (analytics, URL state): whatever they do, the navigation goes on.
function writeThrough(view: Window, kind: 'push' | 'replace', state: EntryState, url: URL): void {
  try {
    view.history[`${kind}State`](state, '', url)
  } catch (error) {
    view.reportError(error)
  }
}

/** The app may have written anything into the state of its entries. */
function parseBackground(over: unknown): Background | null {
  const { from, search } = (over ?? {}) as Partial<Record<keyof Background, unknown>>
  if (typeof from !== 'string' || typeof search !== 'string') return null
  return /^\/(?![/\\])/.test(from) && /^(\?|$)/.test(search) ? { from, search } : null
}

function entryOf(state: unknown): EntryState['waymark'] {
  return (state as EntryState | null)?.waymark
}

// The entry needs an object to stand in.
function withEntry(state: unknown, waymark: NonNullable<EntryState['waymark']>): object {
  return { ...(typeof state === 'object' ? state : { app: state }), waymark }
}
