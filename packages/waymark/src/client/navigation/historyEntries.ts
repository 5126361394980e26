/** What the router keeps in `history.state`, beside what the app keeps there. */
type EntryState = { readonly waymark?: { readonly key: string; readonly index: number } }

/** The history of the tab, as far as the router needs it. */
export type HistoryEntries = {
  /** Key of the current entry; one that the browser made itself, for a hash, gets one now. */
  currentKey(): string
  /** Whether the browser made the current entry, and nobody has asked for its key yet. */
  isUnknown(): boolean
  /** Makes a new entry, or changes the current one. @returns its key */
  write(kind: 'push' | 'replace', url: URL): string
  /** The page of the current entry is on the screen. */
  settle(): void
  /** Goes back to the entry of the page on the screen, after a traversal that came to nothing. */
  undo(): void
  /** Hears of entries that the app itself writes. */
  onAppWrite(listener: (url: URL, key: string) => void): void
}

/** Takes over the history of a window; what the app writes to it is respected. */
export function createHistoryEntries(view: Window, createKey: () => string): HistoryEntries {
  const { history } = view
  const own = {
    push: history.pushState.bind(history),
    replace: history.replaceState.bind(history),
  }
  let listener: (url: URL, key: string) => void = () => {}
  let settledIndex = entryOf(history.state)?.index ?? 0

  const indexNow = () => entryOf(history.state)?.index ?? settledIndex + 1
  const indexFor = (kind: 'push' | 'replace') => indexNow() + (kind === 'push' ? 1 : 0)

  function respect(kind: 'push' | 'replace') {
    return (state: unknown, unused: string, target?: string | URL | null): void => {
      const known = entryOf(history.state)
      const key = kind === 'replace' && known ? known.key : createKey()
      const index = indexFor(kind)
      own[kind](withEntry(state, { key, index }), unused, target)
      settledIndex = index
      listener(new URL(view.location.href), key)
    }
  }
  history.pushState = respect('push')
  history.replaceState = respect('replace')
  if (!entryOf(history.state)) {
    own.replace(withEntry(history.state, { key: createKey(), index: settledIndex }), '')
  }

  return {
    isUnknown: () => !entryOf(history.state),
    currentKey() {
      const known = entryOf(history.state)
      if (known) return known.key
      const key = createKey()
      own.replace(withEntry(history.state, { key, index: indexNow() }), '')
      return key
    },
    write(kind, url) {
      const key = createKey()
      const index = indexFor(kind)
      own[kind]({ waymark: { key, index } }, '', url)
      settledIndex = index
      return key
    },
    settle() {
      settledIndex = indexNow()
    },
    undo() {
      const delta = settledIndex - indexNow()
      if (delta !== 0) history.go(delta)
    },
    onAppWrite(heard) {
      listener = heard
    },
  }
}

function entryOf(state: unknown): EntryState['waymark'] {
  return (state as EntryState | null)?.waymark
}

// What is no object can't hold the entry beside it.
function withEntry(state: unknown, waymark: NonNullable<EntryState['waymark']>): object {
  return { ...(typeof state === 'object' ? state : { app: state }), waymark }
}
