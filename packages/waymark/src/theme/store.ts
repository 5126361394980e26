import { applyTheme, watchThemeRemoval, withoutTransitions } from './applyTheme.ts'
import {
  type ColorScheme,
  defaultThemeConfig,
  nextPreference,
  type Preference,
  parsePreference,
  resolveTheme,
  type ThemeConfig,
} from './config.ts'
import { deserializeTheme, type SerializedTheme, serializedThemeAttribute } from './serialize.ts'
import { toggleAttribute } from './toggle.ts'

/** The theme at one moment. */
export type ThemeSnapshot = {
  readonly preference: Preference
  /** What the operating system asks for. */
  readonly system: ColorScheme
  /** The theme that the route forces. */
  readonly forced: string | null
  /** The name of the theme on the page. */
  readonly resolved: string
  /** Names of the configured themes. */
  readonly themes: readonly string[]
}

/** A page's theme: what it is, and how to change it. */
export type ThemeStore = {
  readonly config: ThemeConfig
  getSnapshot(): ThemeSnapshot
  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void
  /** Stores a preference, for this page at least; an unknown one counts as `system`. */
  setPreference(preference: Preference): void
  /**
   * Forces a theme, or none; of several, the deepest that names one wins.
   * @returns undoes it
   */
  force(theme: string | null, depth: number): () => void
  /** Writes the theme onto the page once more, in case something else overwrote it. */
  repaint(): void
}

const stores = new WeakMap<Window, ThemeStore>()

/** The theme store of a window; created at first use. */
export function themeStoreOf(view: Window): ThemeStore {
  const known = stores.get(view)
  if (known !== undefined) return known
  const store = createThemeStore(view, takeWire(view.document))
  stores.set(view, store)
  return store
}

/**
 * Follows the person's preference, the system and other tabs for the life of a page.
 * @param view the page's window
 */
export function createThemeStore(view: Window, { config, forced }: SerializedTheme): ThemeStore {
  const storage = createPreferenceStorage(view, config)
  const systemQuery = view.matchMedia?.('(prefers-color-scheme: dark)')
  const forces = createForcedThemes(config, forced, update)
  const listeners = new Set<() => void>()
  let preference = storage.read() ?? 'system'
  let snapshot = look()

  function look(): ThemeSnapshot {
    return snapshotOf(config, preference, systemQuery?.matches ? 'dark' : 'light', forces.current())
  }

  function paint(): void {
    const theme = resolveTheme(snapshot.resolved, snapshot.system, config.themes)
    applyTheme(view.document, config, { theme, preference: snapshot.preference })
  }

  function update(): void {
    const next = look()
    if (isSame(next, snapshot)) return
    const repaints = next.resolved !== snapshot.resolved
    snapshot = next
    if (repaints) withoutTransitions(view, paint)
    else paint()
    for (const listener of listeners) listener()
  }

  systemQuery?.addEventListener('change', update)
  onStorageChange(view, config, () => {
    preference = storage.read() ?? preference
    storage.mirror(preference)
    update()
  })
  watchThemeRemoval(view.document.documentElement, config, paint)
  storage.mirror(preference)
  paint()

  return {
    config,
    force: forces.add,
    repaint: paint,
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setPreference(asked) {
      preference = parsePreference(asked, config.themes)
      storage.write(preference)
      update()
    },
  }
}

function snapshotOf(
  config: ThemeConfig,
  preference: Preference,
  system: ColorScheme,
  forced: string | null,
): ThemeSnapshot {
  const resolved = resolveTheme(forced ?? preference, system, config.themes).name
  const themes = config.themes.map((theme) => theme.name)
  return Object.freeze({ preference, system, forced, resolved, themes })
}

function isSame(a: ThemeSnapshot, b: ThemeSnapshot): boolean {
  return (
    a.preference === b.preference &&
    a.system === b.system &&
    a.forced === b.forced &&
    a.resolved === b.resolved
  )
}

function onStorageChange(view: Window, config: ThemeConfig, changed: () => void): void {
  view.addEventListener('storage', (event) => {
    // A key of `null`: all of the storage was cleared.
    if (event.key === config.storageKey || event.key === null) changed()
  })
  // A page that comes back from the back/forward cache has missed the events meanwhile.
  view.addEventListener('pageshow', (event) => {
    if (event.persisted) changed()
  })
}

// The element is taken away: it stands outside React's tree, where hydration would mistake it for
// the first inline script of the app's own head.
function takeWire(document: Document): SerializedTheme {
  const script = document.querySelector<HTMLScriptElement>(`script[${serializedThemeAttribute}]`)
  const text = script?.getAttribute(serializedThemeAttribute)
  script?.remove()
  return text ? deserializeTheme(text) : { config: defaultThemeConfig, forced: null }
}

/** Stores a person's preference between pages. */
export type PreferenceStorage = {
  /** `null` when storage is blocked. */
  read(): Preference | null
  write(preference: Preference): void
  /** Writes the cookie again, where one is configured. */
  mirror(preference: Preference): void
}

const yearSeconds = 31_536_000

/** Local storage, and the cookie that lets a server see the preference. */
export function createPreferenceStorage(view: Window, config: ThemeConfig): PreferenceStorage {
  const { storageKey, themes } = config

  function mirror(preference: Preference): void {
    if (!config.cookie) return
    const secure = view.location.protocol === 'https:' ? '; Secure' : ''
    const lifetime = `Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`
    try {
      view.document.cookie = `${storageKey}=${preference}; ${lifetime}`
    } catch {
      // A sandboxed frame may not set cookies; the preference still holds for this page.
    }
  }

  return {
    mirror,
    read() {
      try {
        return parsePreference(view.localStorage.getItem(storageKey), themes)
      } catch {
        return null
      }
    },
    write(preference) {
      try {
        view.localStorage.setItem(storageKey, preference)
      } catch {
        // Blocked or full: the preference holds for this page.
      }
      mirror(preference)
    },
  }
}

/** The themes that parts of the page force. */
export type ForcedThemes = {
  /** Name of the theme that wins: the deepest; of the same depth, the last. */
  current(): string | null
  /** @returns takes it back; `changed` is called both times */
  add(theme: string | null, depth: number): () => void
}

type Force = { readonly theme: string | null; readonly depth: number }

/**
 * Tracks forced themes; names that are not configured count as none.
 * @param initial the document's; it counts until a part of the page forces one
 */
export function createForcedThemes(
  config: ThemeConfig,
  initial: string | null,
  changed: () => void,
): ForcedThemes {
  let forces: readonly Force[] = [{ theme: initial, depth: 0 }]
  const isKnown = ({ theme }: Force) => config.themes.some(({ name }) => name === theme)

  return {
    current() {
      const deepestFirst = forces.filter(isKnown).toReversed()
      deepestFirst.sort((a, b) => b.depth - a.depth)
      return deepestFirst[0]?.theme ?? null
    },
    add(theme, depth) {
      const added = { theme, depth }
      forces = [...forces.filter((force) => force.depth > 0), added]
      changed()
      return () => {
        forces = forces.filter((force) => force !== added)
        changed()
      }
    },
  }
}

const booted = new WeakSet<Window>()

/**
 * Starts following themes and serves every `ThemeToggle` of the page, with one listener. Call it
 * before hydration: it takes the pre-paint script's element away, which React must not meet.
 */
export function startTheme(view: Window = window): void {
  if (booted.has(view)) return
  booted.add(view)
  const store = themeStoreOf(view)
  view.document.addEventListener('click', (event) => {
    if (event.defaultPrevented || !(event.target instanceof Element)) return
    const cycle = event.target.closest(`[${toggleAttribute}]`)?.getAttribute(toggleAttribute)
    if (!cycle) return
    store.setPreference(nextPreference(store.getSnapshot().preference, cycle.split(' ')))
  })
}
