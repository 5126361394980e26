import { beforeEach, describe, expect, it, vi } from 'vitest'
import { serializeTheme } from './config.ts'
import { themeStoreOf } from './store.ts'
import { badStoredValues, createFakeWindow, type FakeBrowser } from './testing/fakeWindow.ts'
import { resolveThemeOptions, type ThemeOptions } from './themeOptions.ts'

beforeEach(() => {
  vi.stubGlobal(
    'MutationObserver',
    class {
      observe() {}
    },
  )
  return () => vi.unstubAllGlobals()
})

function open(browser: FakeBrowser = {}, options: ThemeOptions = {}, forced: string | null = null) {
  const wire = serializeTheme({ config: resolveThemeOptions(options), forced })
  const page = createFakeWindow({ wire, ...browser })
  return { ...page, store: themeStoreOf(page.view) }
}

describe('the theme store', () => {
  it('starts with the stored preference', () => {
    const { store, html } = open({ stored: 'dark' })
    expect(store.getSnapshot()).toMatchObject({
      preference: 'dark',
      resolved: 'dark',
      system: 'light',
    })
    expect(html.attributes.get('data-theme')).toBe('dark')
    expect(html.style.colorScheme).toBe('dark')
  })

  it("exists once per window and removes the pre-paint script's element", () => {
    const { store, view, hasScript } = open()
    expect(themeStoreOf(view)).toBe(store)
    expect(hasScript()).toBe(false)
  })

  it('uses the defaults on a page without the pre-paint script', () => {
    const { view } = createFakeWindow({ systemDark: true })
    expect(themeStoreOf(view).getSnapshot().resolved).toBe('dark')
  })

  it.each(badStoredValues)('treats %s as system', (_name, stored) => {
    const { store } = open({ stored, systemDark: true })
    expect(store.getSnapshot()).toMatchObject({ preference: 'system', resolved: 'dark' })
  })

  it('is light without matchMedia', () => {
    const { store } = open({ noMatchMedia: true, systemDark: true })
    expect(store.getSnapshot()).toMatchObject({ preference: 'system', resolved: 'light' })
  })

  it.each([{ blocked: true }, { full: true }])(
    'keeps a choice for the page when storage is %o',
    (browser) => {
      const { store, html } = open(browser)
      store.setPreference('dark')
      expect(store.getSnapshot().preference).toBe('dark')
      expect(html.attributes.get('data-theme')).toBe('dark')
    },
  )

  it('follows the system only while the preference is system', () => {
    const { store, setSystem } = open()
    setSystem(true)
    expect(store.getSnapshot().resolved).toBe('dark')
    store.setPreference('light')
    expect(store.getSnapshot().resolved).toBe('light')
    setSystem(false)
    setSystem(true)
    expect(store.getSnapshot().resolved).toBe('light')
    store.setPreference('system')
    expect(store.getSnapshot()).toMatchObject({ preference: 'system', resolved: 'dark' })
  })

  it('follows other tabs', () => {
    const { store, storeInOtherTab } = open()
    storeInOtherTab('theme', 'dark')
    expect(store.getSnapshot().resolved).toBe('dark')
    storeInOtherTab('theme', 'garbage')
    expect(store.getSnapshot().preference).toBe('system')
    storeInOtherTab('theme', 'dark')
    storeInOtherTab(null, null)
    expect(store.getSnapshot().preference).toBe('system')
  })

  it('reads again on a return from the back/forward cache', () => {
    const { store, returnFromCache } = open()
    returnFromCache('dark')
    expect(store.getSnapshot().resolved).toBe('dark')
  })

  it('stores a preference and treats an unknown one as system', () => {
    const { store, stored } = open()
    store.setPreference('dark')
    expect(stored()).toBe('dark')
    store.setPreference('"><script>')
    expect(stored()).toBe('system')
  })

  it('notifies its subscribers only of changes', () => {
    const { store, setSystem } = open({ stored: 'dark' })
    const listener = vi.fn()
    const end = store.subscribe(listener)
    store.setPreference('dark')
    expect(listener).toHaveBeenCalledTimes(0)
    const before = store.getSnapshot()
    setSystem(true)
    expect(listener).toHaveBeenCalledTimes(1)
    expect(store.getSnapshot()).not.toBe(before)
    end()
    store.setPreference('light')
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('writes one class at a time if configured', () => {
    const { store, html } = open(
      { stored: 'sepia' },
      { attribute: 'class', themes: { sepia: 'light' } },
    )
    expect([...html.classes]).toEqual(['sepia'])
    store.setPreference('dark')
    expect([...html.classes]).toEqual(['dark'])
  })

  it('copies the preference to a cookie if configured', () => {
    const { store, cookie } = open({ stored: 'dark' }, { cookie: true })
    expect(cookie()).toBe('theme=dark; Path=/; Max-Age=31536000; SameSite=Lax; Secure')
    store.setPreference('system')
    expect(cookie()).toMatch(/^theme=system;/)
  })

  it('writes no cookie by default', () => {
    const { store, cookie } = open()
    store.setPreference('dark')
    expect(cookie()).toBe('')
  })
})

describe('a theme that another script has written', () => {
  const write = (html: ReturnType<typeof open>['html'], name: string, scheme: string) => {
    html.attributes.set('data-theme', name)
    html.style.colorScheme = scheme
  }
  const marks = ({ html }: ReturnType<typeof open>) => [
    html.attributes.get('data-theme'),
    html.style.colorScheme,
  ]

  it("stays if the app neither configures nor uses Waymark's themes", () => {
    const page = open({ stored: 'light' })
    write(page.html, 'ink', 'dark')
    page.store.repaint()
    page.setSystem(true)
    page.storeInOtherTab('theme', 'dark')
    expect(marks(page)).toEqual(['ink', 'dark'])
  })

  it('is restored after a route forced a theme', () => {
    const page = open({ stored: 'light' })
    write(page.html, 'ink', 'dark')
    const end = page.store.force('light', 1)
    expect(marks(page)).toEqual(['light', 'light'])
    end()
    expect(marks(page)).toEqual(['ink', 'dark'])
  })

  it.each<[string, Parameters<typeof open>[1], (store: ReturnType<typeof open>['store']) => void]>([
    ['configures', { storageKey: 'own' }, () => {}],
    ['reads', {}, (store) => store.subscribe(() => {})],
    ['sets', {}, (store) => store.setPreference('light')],
  ])("is replaced if the app %s Waymark's themes", (_, options, use) => {
    const page = open({}, options)
    use(page.store)
    write(page.html, 'ink', 'dark')
    page.store.repaint()
    expect(marks(page)).toEqual(['light', 'light'])
  })
})

describe('a forced theme', () => {
  it('is shown without changing the preference', () => {
    const { store, stored } = open({ stored: 'light' }, {}, 'dark')
    expect(store.getSnapshot()).toMatchObject({
      preference: 'light',
      forced: 'dark',
      resolved: 'dark',
    })
    expect(stored()).toBe('light')
  })

  it('of the document ends when a component forces a theme', () => {
    const { store } = open({ stored: 'light' }, {}, 'dark')
    store.force(null, 1)
    expect(store.getSnapshot()).toMatchObject({ forced: null, resolved: 'light' })
  })

  it('wins by depth, in any order, and can be undone', () => {
    const { store } = open()
    const endInner = store.force('dark', 2)
    const endOuter = store.force('light', 1)
    expect(store.getSnapshot().forced).toBe('dark')
    endInner()
    expect(store.getSnapshot().forced).toBe('light')
    endOuter()
    expect(store.getSnapshot().forced).toBe(null)
  })

  it('with an unknown name is ignored', () => {
    const { store } = open({ stored: 'dark' })
    store.force('purple', 1)
    expect(store.getSnapshot()).toMatchObject({ forced: null, resolved: 'dark' })
  })
})
