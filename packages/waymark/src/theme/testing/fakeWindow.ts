/** Settings of the fake browser. */
export type FakeBrowser = {
  stored?: string | null
  systemDark?: boolean
  /** True if reading and writing storage throws. */
  blocked?: boolean
  /** True if writing to storage throws. */
  full?: boolean
  /** Settings of the pre-paint script, as in the document. */
  wire?: string
  noMatchMedia?: boolean
}

/**
 * A window with the properties that the theme store uses, and with functions to control it in
 * tests.
 */
export type FakeWindow = {
  view: Window
  html: { attributes: Map<string, string>; classes: Set<string>; style: { colorScheme: string } }
  stored(): string | null
  cookie(): string
  hasScript(): boolean
  setSystem(dark: boolean): void
  /** Writes the key in a different tab. `null` clears the whole storage. */
  storeInOtherTab(key: string | null, value: string | null): void
  returnFromCache(value: string): void
}

type Listener = (event: Record<string, unknown>) => void

/** Creates a window that contains one page. */
export function createFakeWindow(browser: FakeBrowser = {}): FakeWindow {
  const items = new Map(browser.stored ? [['theme', browser.stored]] : [])
  const html = createHtml()
  const script = createScript(browser.wire)
  const systemListeners: Listener[] = []
  const query = {
    matches: browser.systemDark ?? false,
    addEventListener: (_type: string, listener: Listener) => systemListeners.push(listener),
  }
  const listeners = new Map<string, Listener>()
  const document = {
    documentElement: html.element,
    cookie: '',
    addEventListener() {},
    querySelector: () => script.current(),
    querySelectorAll: () => [],
  }
  const view = {
    document,
    location: { protocol: 'https:' },
    localStorage: createStorage(items, browser),
    matchMedia: browser.noMatchMedia ? undefined : () => query,
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    setTimeout: (callback: () => void) => callback(),
  }
  return {
    view: view as unknown as Window,
    html,
    stored: () => items.get('theme') ?? null,
    cookie: () => document.cookie,
    hasScript: () => script.current() !== null,
    setSystem(dark) {
      query.matches = dark
      for (const listener of systemListeners) listener({})
    },
    storeInOtherTab(key, value) {
      if (key === null) items.clear()
      else if (value !== null) items.set(key, value)
      listeners.get('storage')?.({ key })
    },
    returnFromCache(value) {
      items.set('theme', value)
      listeners.get('pageshow')?.({ persisted: true })
    },
  }
}

function createHtml() {
  const attributes = new Map<string, string>()
  const classes = new Set<string>()
  const style = { colorScheme: '' }
  const element = {
    style,
    classList: {
      add: (name: string) => classes.add(name),
      toggle: (name: string, isOn: boolean) => (isOn ? classes.add(name) : classes.delete(name)),
      contains: (name: string) => classes.has(name),
    },
    getAttribute: (name: string) => attributes.get(name) ?? null,
    hasAttribute: (name: string) => attributes.has(name),
    setAttribute: (name: string, value: string) => attributes.set(name, value),
  }
  return { attributes, classes, style, element }
}

function createScript(wire: string | undefined) {
  let present = wire !== undefined
  const element = {
    getAttribute: () => wire ?? null,
    remove: () => {
      present = false
    },
  }
  return { current: () => (present ? element : null) }
}

function createStorage(items: Map<string, string>, { blocked, full }: FakeBrowser) {
  return {
    getItem(key: string) {
      if (blocked) throw new Error('SecurityError')
      return items.get(key) ?? null
    },
    setItem(key: string, value: string) {
      if (blocked || full) throw new Error('QuotaExceededError')
      items.set(key, value)
    },
  }
}

/** Invalid values that storage may contain under the theme's key. */
export const badStoredValues: readonly (readonly [name: string, stored: string | null])[] = [
  ['nothing', null],
  ['an empty string', ''],
  ['an unknown name', 'purple'],
  ['other case', 'Dark'],
  ['a leading space', ' dark'],
  ['JSON', '"dark"'],
  ['a number', '1'],
  ['a list', 'light,dark'],
  ['a name of Object.prototype', 'constructor'],
  ['a name that reaches prototypes', '__proto__'],
  ['markup', '"><script>alert(1)</script>'],
  ['a null character', 'dark\0'],
  ['5 MB', 'd'.repeat(5 * 1024 * 1024)],
]
