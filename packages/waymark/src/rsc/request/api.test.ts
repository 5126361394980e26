import { describe, expect, test, vi } from 'vitest'
import { toServerRequest } from '../../http/web.ts'
import { resolveThemeOptions } from '../../theme/themeOptions.ts'
import { headers, type PublicEnvName, publicEnv, themeHtmlProps, themePreference } from './api.ts'
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
