/** What the router keeps in `history.state`, beside what the app keeps there. */
type EntryState = { readonly waymark?: { readonly key: string } }

/** The history of the tab, as far as the router needs it. */
export type HistoryEntries = {
  /** Key of the current entry. */
  currentKey(): string
  /** Makes a new entry, or changes the current one. @returns its key */
  write(kind: 'push' | 'replace', url: URL): string
  /** Hears of entries that the app itself writes. */
  onAppWrite(listener: (url: URL, key: string) => void): void
}

/** Takes over the history of a window; what the app writes to it is respected. */
export function createHistoryEntries(view: Window, createKey: () => string): HistoryEntries {
  const { history, location } = view
  const own = {
    push: history.pushState.bind(history),
    replace: history.replaceState.bind(history),
  }
  let listener: (url: URL, key: string) => void = () => {}

  const keyOf = (state: unknown) => (state as EntryState | null)?.waymark?.key
  const withKey = (state: unknown, key: string) => ({
    ...(typeof state === 'object' ? state : { app: state }),
    waymark: { key },
  })

  function respect(kind: 'push' | 'replace') {
    return (state: unknown, unused: string, target?: string | URL | null): void => {
      const key = kind === 'push' ? createKey() : (keyOf(history.state) ?? createKey())
      own[kind](withKey(state, key), unused, target)
      listener(new URL(location.href), key)
    }
  }
  history.pushState = respect('push')
  history.replaceState = respect('replace')
  if (!keyOf(history.state)) own.replace(withKey(history.state, createKey()), '')

  return {
    currentKey: () => keyOf(history.state) ?? '',
    write(kind, url) {
      const key = createKey()
      own[kind]({ waymark: { key } }, '', url)
      return key
    },
    onAppWrite(heard) {
      listener = heard
    },
  }
}
