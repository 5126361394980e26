import { describe, expect, it } from 'vitest'
import { defaultThemeConfig } from './config.ts'
import { resolveThemeOptions, type ThemeOptions } from './themeOptions.ts'

describe('resolveThemeOptions', () => {
  it('returns the defaults without any setting', () => {
    expect(resolveThemeOptions()).toEqual(defaultThemeConfig)
  })

  it('includes light and dark without any setting', () => {
    expect(resolveThemeOptions()).toEqual({
      storageKey: 'theme',
      attributes: ['data-theme'],
      themes: [
        { name: 'light', scheme: 'light', color: null },
        { name: 'dark', scheme: 'dark', color: null },
      ],
      cookie: false,
    })
  })

  it('gives a theme without a colour the colour of its scheme', () => {
    const { themes } = resolveThemeOptions({
      themes: { sepia: 'light', midnight: 'dark' },
      themeColors: { light: '#fff', dark: '#111', midnight: '#004' },
    })
    expect(themes.map(({ name, color }) => [name, color])).toEqual([
      ['light', '#fff'],
      ['dark', '#111'],
      ['sepia', '#fff'],
      ['midnight', '#004'],
    ])
  })

  it.each([
    ['a key with a space', { storageKey: 'my theme' }],
    ['an empty key', { storageKey: '' }],
    ['a key that can not be a cookie', { storageKey: 'app:theme', cookie: true }],
    ['an attribute that is not ours to set', { attribute: 'style' as 'class' }],
    ['the attribute of the preference', { attribute: 'data-theme-preference' }],
    ['no attribute', { attribute: [] }],
    ['a theme named system', { themes: { system: 'dark' } }],
    ['a theme named like markup', { themes: { '"><script>': 'dark' } }],
    ['a scheme that does not exist', { themes: { sepia: 'sepia' as 'light' } }],
    ['light turned dark', { themes: { light: 'dark' } }],
    [
      'a colour for light only',
      { themeColors: { light: '#fff' } as { light: string; dark: string } },
    ],
  ] satisfies [string, ThemeOptions][])('refuses %s', (_name, options) => {
    expect(() => resolveThemeOptions(options)).toThrow(
      /The option theme\..+ can't be .*OPTION_VALUE/,
    )
  })
})
