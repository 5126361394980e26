import { withBasePath } from '../shared/basePath.ts'
import { tryOrUndefined } from '../shared/neverThrows.ts'
import { applyTheme, watchThemeRemoval, withoutTransitions } from './applyTheme.ts'
import {
  type ColorScheme,
  defaultThemeConfig,
  deserializeTheme,
  nextPreference,
  type Preference,
  parsePreference,
  resolveTheme,
  type SerializedTheme,
  serializedThemeAttribute,
  type ThemeConfig,
  toggleAttribute,
} from './config.ts'

export type ThemeSnapshot = {
  readonly preference: Preference
  readonly system: ColorScheme
  readonly forced: string | null
  readonly resolved: string
  readonly themes: readonly string[]
}

export type ThemeStore = ReturnType<typeof createThemeStore>

const stores = new WeakMap<Window, ThemeStore>()

/**
 * Returns a window's theme store. The first call also starts to handle clicks on every
 * `ThemeToggle`, even before hydration.
 */
export function themeStoreOf(view: Window): ThemeStore {
  const existing = stores.get(view)
  if (existing) return existing
  const store = createThemeStore(view, removeThemeScript(view.document))
  stores.set(view, store)
  listenForToggles(view.document, store)
  return store
}

// Hydration would mistake the script for the first inline script in the app's head, so remove it.
function removeThemeScript(document: Document): SerializedTheme {
  const script = document.querySelector<HTMLScriptElement>(
    `head>script[${serializedThemeAttribute}]`,
  )
  const text = script?.getAttribute(serializedThemeAttribute)
  script?.remove()
  return text ? deserializeTheme(text) : { config: defaultThemeConfig, forced: null }
}

/**
 * Creates a store that follows the user's preference, the system's colour scheme, and changes in
 * other tabs.
 */
function createThemeStore(view: Window, { config, forced }: SerializedTheme) {
  const storage = createPreferenceStorage(view, config)
  const systemQuery = view.matchMedia?.('(prefers-color-scheme: dark)')
  const forcedThemes = createForcedThemes(config, forced, update)
  const names = config.themes.map((theme) => theme.name)
  const listeners = new Set<() => void>()
  const painter = createPainter(view.document, config)
  let snapshot = look()

  function look(): ThemeSnapshot {
    const preference = storage.read()
    const system = systemQuery?.matches ? 'dark' : 'light'
    const forced = forcedThemes.current()
    const resolved = resolveTheme(forced ?? preference, system, config.themes).name
    return Object.freeze({ preference, system, forced, resolved, themes: names })
  }

  const paint = () => painter.paint(snapshot)

  function update(): void {
    const previous = snapshot
    const next = look()
    if (JSON.stringify(next) === JSON.stringify(previous)) return
    snapshot = next
    if (next.resolved === previous.resolved) paint()
    else withoutTransitions(view, paint)
    for (const listener of listeners) listener()
  }

  systemQuery?.addEventListener('change', update)
  storage.onChange(update)
  watchThemeRemoval(view.document.documentElement, config, paint)
  storage.mirror()
  paint()

  return {
    config,
    force: forcedThemes.add,
    repaint(): void {
      update()
      paint()
    },
    getSnapshot: () => snapshot,
    subscribe(listener: () => void): () => void {
      painter.use()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /**
     * Sets the preference. An unknown one counts as `system`. If storage is blocked, the preference
     * only lasts as long as this page.
     */
    setPreference(wanted: Preference): void {
      painter.use()
      storage.write(parsePreference(wanted, config.themes))
      update()
    },
  }
}

type Marks = readonly [name: string | null, scheme: string]

/**
 * Writes the theme to the page. If the app configures no themes, leaves a different script's theme
 * alone.
 */
function createPainter(document: Document, config: ThemeConfig) {
  const { documentElement: html } = document
  const attribute = 'data-theme'
  let isUsed = JSON.stringify(config) !== JSON.stringify(defaultThemeConfig)
  let painted: Marks | null = null
  /** The app's own attributes from before a route forced a theme. */
  let appMarks: Marks | null = null
  const read = (): Marks => [html.getAttribute(attribute), html.style.colorScheme]
  const isForeign = (marks: Marks) => `${marks}` !== `${painted}` && `${marks}` !== ','

  function mayPaint(isForced: boolean): boolean {
    isUsed ||= document.querySelector(`[${toggleAttribute}]`) !== null
    if (isUsed) return true
    const marks = read()
    if (isForced) {
      if (isForeign(marks)) appMarks = marks
      return true
    }
    if (!appMarks) return !isForeign(marks)
    const [name, scheme] = appMarks
    appMarks = null
    if (name === null) html.removeAttribute(attribute)
    else html.setAttribute(attribute, name)
    html.style.colorScheme = scheme
    return false
  }
  return {
    use(): void {
      isUsed = true
    },
    paint({ resolved, system, preference, forced }: ThemeSnapshot): void {
      const theme = resolveTheme(resolved, system, config.themes)
      // The pre-paint script has already written this theme.
      painted ??= [theme.name, theme.scheme]
      if (!mayPaint(forced !== null)) return
      applyTheme(document, config, { theme, preference })
      painted = [theme.name, theme.scheme]
    },
  }
}

const yearSeconds = 31_536_000

function createPreferenceStorage(view: Window, { storageKey, themes, cookie }: ThemeConfig) {
  let preference: Preference = 'system'
  /** True unless storage is blocked or full. */
  let isStored = true

  const stored = () => parsePreference(view.localStorage.getItem(storageKey), themes)
  function read(): Preference {
    // A script on this page may change the storage without an event, so read it each time.
    if (isStored) preference = tryOrUndefined(stored) ?? preference
    return preference
  }
  function mirror(): void {
    if (!cookie) return
    const secure = view.location.protocol === 'https:' ? '; Secure' : ''
    const lifetime = `Path=${withBasePath('/')}; Max-Age=${yearSeconds}; SameSite=Lax${secure}`
    tryOrUndefined(() => {
      view.document.cookie = `${storageKey}=${preference}; ${lifetime}`
    })
  }

  return {
    mirror,
    read,
    write(wanted: Preference): void {
      preference = wanted
      tryOrUndefined(() => view.localStorage.setItem(storageKey, preference))
      isStored = tryOrUndefined(stored) === preference
      mirror()
    },
    onChange(changed: () => void): void {
      const onWrite = () => {
        isStored = true
        changed()
        mirror()
      }
      view.addEventListener('storage', ({ key }) => {
        // The key is `null` when the whole storage was cleared.
        if (key === storageKey || key === null) onWrite()
      })
      // A page from the back/forward cache has missed storage events, so read the storage again.
      view.addEventListener('pageshow', ({ persisted }) => {
        if (persisted) onWrite()
      })
    },
  }
}

type ForcedTheme = { readonly theme: string | null; readonly depth: number }

/** Tracks the themes that parts of the page force. Ignores unknown names. */
function createForcedThemes(config: ThemeConfig, initial: string | null, changed: () => void) {
  let shallowFirst: readonly ForcedTheme[] = [{ theme: initial, depth: 0 }]
  const isConfigured = ({ theme }: ForcedTheme) => config.themes.some(({ name }) => name === theme)

  return {
    /** Returns the theme that is forced at the greatest depth; of several, the latest. */
    current: () => shallowFirst.findLast(isConfigured)?.theme ?? null,
    add(theme: string | null, depth: number): () => void {
      const added = { theme, depth }
      const others = shallowFirst.filter((each) => each.depth > 0)
      shallowFirst = [...others, added].sort((a, b) => a.depth - b.depth)
      changed()
      return () => {
        shallowFirst = shallowFirst.filter((each) => each !== added)
        changed()
      }
    },
  }
}

function listenForToggles(document: Document, store: ThemeStore): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || !(event.target instanceof Element)) return
    const cycle = event.target.closest(`[${toggleAttribute}]`)?.getAttribute(toggleAttribute)
    if (!cycle) return
    const { preference, system } = store.getSnapshot()
    store.setPreference(nextPreference(preference, cycle.split(' '), system))
  })
}
