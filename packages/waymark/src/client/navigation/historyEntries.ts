/** Pathname and query of the page behind an intercepting page, such as a modal. */
export type Background = { readonly from: string; readonly search: string }

/** The router's part of `history.state`. The app's own state is stored next to it. */
type EntryState = {
  readonly waymark?: {
    readonly key: string
    readonly index: number
    /** Undefined if the entry's page fills the screen. */
    readonly over?: Background | undefined
  }
}

/** The parts of the tab's history that the router needs. */
export type HistoryEntries = {
  /**
   * Returns the key of the current entry. Assigns a key first if the browser has just created the
   * entry for a hash.
   */
  currentKey(): string
  /** True if the browser created the current entry and it has no key yet. */
  isUnknown(): boolean
  /** Returns the key of the entry whose page is on the screen. */
  settledKey(): string
  /** Returns the page behind the current entry's page, or `null` if that page fills the screen. */
  background(): Background | null
  /** Creates an entry or replaces the current one. @returns its key */
  write(kind: 'push' | 'replace', url: URL, over?: Background | undefined): string
  /** Records that the current entry's page is on the screen. */
  settle(): void
  /** Returns to the entry of the page on the screen, after a canceled traversal. */
  undo(): void
  /** Registers a listener for entries that the app itself writes. */
  onAppWrite(listener: (url: URL, key: string) => void): void
  /**
   * True while the browser is loading a new document, because loading a second document would cancel
   * the first.
   */
  isLeaving(): boolean
}

/** Takes over the history of a window. Entries that the app writes are tracked, too. */
export function createHistoryEntries(view: Window, createKey: () => string): HistoryEntries {
  const { history } = view
  const native = bindMethods(history)
  let listener: (url: URL, key: string) => void = () => {}
  // True while the router writes an entry. The router calls the public history methods, which
  // packages may have wrapped.
  let isRouterWrite = false
  const stored = entryOf(history.state)
  // Drop the background: a new document shows only the page of its URL, even if the page was opened
  // as a modal before.
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
    // A hash doesn't change the page in the background.
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
  // Prefer the Navigation API: iOS Safari has no `beforeunload`, and Firefox excludes pages that
  // listen to it from the back/forward cache.
  const source: EventTarget = navigation ?? view
  source.addEventListener(navigation ? 'navigate' : 'beforeunload', (event) => {
    if (!(event as Partial<NavigateEvent>).destination?.sameDocument) leftAtMs = event.timeStamp
  })
  // If no document has loaded after 10 s, the navigation was stopped, or it was a download.
  return () => performance.now() - leftAtMs < 10_000
}

const bindMethods = (history: History) => ({
  push: history.pushState.bind(history),
  replace: history.replaceState.bind(history),
})

// Writes a history entry. Packages for analytics or URL state wrap `pushState` and `replaceState`,
// and the navigation continues even if a wrapper throws.
function writeThrough(view: Window, kind: 'push' | 'replace', state: EntryState, url: URL): void {
  try {
    view.history[`${kind}State`](state, '', url)
  } catch (error) {
    view.reportError(error)
  }
}

/** Parses the background of an entry. The app may have written anything into its state. */
function parseBackground(over: unknown): Background | null {
  const { from, search } = (over ?? {}) as Partial<Record<keyof Background, unknown>>
  if (typeof from !== 'string' || typeof search !== 'string') return null
  return /^\/(?![/\\])/.test(from) && /^(\?|$)/.test(search) ? { from, search } : null
}

function entryOf(state: unknown): EntryState['waymark'] {
  return (state as EntryState | null)?.waymark
}

// Adds the router's entry to the app's state. The result must be an object, so a state of any other
// type becomes its property `app`.
function withEntry(state: unknown, waymark: NonNullable<EntryState['waymark']>): object {
  return { ...(typeof state === 'object' ? state : { app: state }), waymark }
}
