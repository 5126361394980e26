import { describe, expect, it } from 'vitest'
import { deserializeTheme, serializeTheme } from './serialize.ts'
import { resolveThemeOptions, type ThemeOptions } from './themeOptions.ts'

const settings: [name: string, options: ThemeOptions][] = [
  ['the defaults', {}],
  ['another key and a cookie', { storageKey: 'app.theme', cookie: true }],
  ['several attributes', { attribute: ['class', 'data-mode'] }],
  ['more themes', { themes: { sepia: 'light', midnight: 'dark' } }],
  [
    'colours',
    { themes: { sepia: 'light' }, themeColors: { light: '#fff', dark: '#111', sepia: '#f4ecd8' } },
  ],
]

describe('the theme settings in a document', () => {
  it.each(settings)('come back as they went out: %s', (_name, options) => {
    for (const forced of [null, 'dark']) {
      const wire = { config: resolveThemeOptions(options), forced }
      expect(deserializeTheme(serializeTheme(wire))).toEqual(wire)
    }
  })
})
