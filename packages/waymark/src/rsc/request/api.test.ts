import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { toServerRequest } from '../../http/web.ts'
import { englishTheme } from '../../screens/englishTheme.ts'
import { createLocale } from '../../screens/screenTexts.ts'
import { ThemeSelect } from '../../theme/ThemeSelect.tsx'
import { ThemeToggle } from '../../theme/ThemeToggle.tsx'
import { resolveThemeOptions } from '../../theme/themeOptions.ts'
import {
  headers,
  type PublicEnvName,
  publicEnv,
  themeHtmlProps,
  themePreference,
  themeSelectProps,
  themeToggleProps,
} from './api.ts'
import { createScope, runInScope } from './scope.ts'

function scopeOf(cookie: string, options: { cookie?: boolean } = { cookie: true }) {
  const request = toServerRequest(new Request('https://site.test/a', { headers: { cookie } }))
  return createScope({
    request,
    url: { pathname: '/a', search: '' },
    phase: 'render',
    theme: resolveThemeOptions({ ...options, themes: { sepia: 'light' } }),
    onAfterError: () => '',
  })
}

/** Renders both theme controls with the labels of a locale. */
function themeControls(locale = createLocale('de', {})) {
  const request = toServerRequest(new Request('https://site.test/'))
  const url = { pathname: '/', search: '' }
  const onAfterError = () => ''
  const scope = createScope({ request, url, phase: 'render', locale: () => locale, onAfterError })
  const controls = runInScope(scope, () => [
    createElement(ThemeToggle, themeToggleProps()),
    createElement(ThemeSelect, themeSelectProps()),
  ])
  return controls.map((control) => renderToStaticMarkup(control)).join('')
}

describe('the labels of the theme controls', () => {
  test('come from screens.ts, in the language of the page', () => {
    const select = { label: 'Farben', names: { light: 'Hell', dark: 'Dunkel', system: 'System' } }
    const toggle = {
      label: 'Farben: {state}. Zu {next} wechseln.',
      names: { light: 'hell', dark: 'dunkel', system: 'wie das System', other: 'andere' },
    }
    const html = themeControls(createLocale('de', { theme: { select, toggle } }))
    expect(html).toContain('Farben: wie das System. Zu dunkel wechseln.')
    expect(html).toContain('Farben: andere. Zu hell wechseln.')
    expect(html).toContain('<span>Farben</span>')
    expect(html).toContain('>Dunkel</option>')
    expect(html).not.toMatch(/Switch|Theme|>Light|other/)
  })

  test('are English where screens.ts has none, and equal the English table', () => {
    expect(themeControls()).toContain('Theme: system. Switch to dark.')
    expect(themeControls()).toBe(themeControls(createLocale('en', { theme: englishTheme })))
  })
})

describe('the theme on the server', () => {
  test.each([
    ['theme=dark', 'dark', { 'data-theme': 'dark' }],
    ['a=1; theme=sepia', 'sepia', { 'data-theme': 'sepia' }],
    ['theme=system', 'system', {}],
    ['', 'system', {}],
    ['theme=%22%3E%3Cscript%3E', 'system', {}],
    ['other=dark', 'system', {}],
  ])('of %s is %s', async (cookie, preference, props) => {
    const scope = scopeOf(cookie)
    expect(await runInScope(scope, themePreference)).toBe(preference)
    expect(await runInScope(scope, themeHtmlProps)).toEqual(props)
  })

  test.each([
    ['themePreference()', themePreference],
    ['themeHtmlProps()', themeHtmlProps],
  ] as const)('makes a page dynamic, by %s', async (name, read) => {
    const scope = scopeOf('theme=dark')
    const promise = runInScope<Promise<unknown>>(scope, read)
    expect(scope.usage.reason).toBe(null)
    await promise
    expect(scope.usage.reason).toBe(`cookies() in ${name}`)
  })

  test('needs the theme cookie', async () => {
    const scope = scopeOf('theme=dark', {})
    await expect(async () => runInScope(scope, themePreference)).rejects.toThrow('THEME_COOKIE')
  })

  test('needs a request', () => {
    expect(() => themePreference()).toThrow('OUTSIDE_REQUEST')
  })
})

test('headers have the host and scheme that the server knows, whatever the client sent', async () => {
  const sent = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'gopher' }
  const request = toServerRequest(new Request('https://site.test:8443/a', { headers: sent }))
  const seen = await runInScope({ ...scopeOf(''), request }, headers)
  expect(Object.fromEntries(seen)).toEqual({
    'x-forwarded-host': 'site.test:8443',
    'x-forwarded-proto': 'https',
  })
})

describe('public settings', () => {
  test('are read from the environment by name, and make the page dynamic', async () => {
    vi.stubEnv('PUBLIC_STAGE', 'staging')
    const scope = scopeOf('')
    const settings = runInScope(scope, () => publicEnv('PUBLIC_STAGE', 'VITE_MISSING'))
    expect(scope.usage.reason).toBe(null)
    expect(await settings).toEqual({ PUBLIC_STAGE: 'staging', VITE_MISSING: undefined })
    expect(scope.usage.reason).toBe('publicEnv()')
    vi.unstubAllEnvs()
  })

  test.each(['DATABASE_URL', 'MY_PUBLIC_KEY', 'public_a', 'PUBLIC'])('%s is not public', (name) => {
    const read = () => runInScope(scopeOf(''), () => publicEnv(name as PublicEnvName))
    expect(read).toThrow('PUBLIC_ENV')
  })

  test('need a request', () => {
    expect(() => publicEnv('PUBLIC_STAGE')).toThrow('OUTSIDE_REQUEST')
  })
})
