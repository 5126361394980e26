import { describe, expect, test } from 'vitest'
import { toServerRequest } from '../../shared/web.ts'
import { resolveThemeOptions } from '../../theme/themeOptions.ts'
import { themeHtmlProps, themePreference } from './api.ts'
import { createScope, runInScope } from './scope.ts'

function scopeOf(cookie: string, options: { cookie?: boolean } = { cookie: true }) {
  const request = toServerRequest(new Request('https://site.test/a', { headers: { cookie } }))
  return createScope({
    request,
    url: { pathname: '/a', search: '' },
    phase: 'render',
    theme: resolveThemeOptions({ ...options, themes: { sepia: 'light' } }),
    onAfterError: () => {},
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
  ] as const)('is what makes a page dynamic, by %s', async (name, read) => {
    const scope = scopeOf('theme=dark')
    const promise = runInScope<Promise<unknown>>(scope, read)
    expect(scope.usage.reason).toBe(null)
    await promise
    expect(scope.usage.reason).toBe(`cookies() in ${name}`)
  })

  test('is not known without the cookie', async () => {
    const scope = scopeOf('theme=dark', {})
    await expect(async () => runInScope(scope, themePreference)).rejects.toThrow('THEME_COOKIE')
  })

  test('is asked for within a request', () => {
    expect(() => themePreference()).toThrow('OUTSIDE_REQUEST')
  })
})
