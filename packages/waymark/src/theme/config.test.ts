import { describe, expect, it } from 'vitest'
import {
  deserializeTheme,
  nextPreference,
  parsePreference,
  resolveTheme,
  serializeTheme,
} from './config.ts'
import { badStoredValues } from './testing/fakeWindow.ts'
import { resolveThemeOptions, type ThemeOptions } from './themeOptions.ts'

const { themes } = resolveThemeOptions({ themes: { sepia: 'light', midnight: 'dark' } })

describe('parsePreference', () => {
  it.each(['light', 'dark', 'sepia', 'midnight', 'system'])('keeps %s', (stored) => {
    expect(parsePreference(stored, themes)).toBe(stored)
  })

  it.each(badStoredValues)('treats %s as system', (_name, stored) => {
    expect(parsePreference(stored, themes)).toBe('system')
  })

  it("treats the name of another app's theme as system", () => {
    expect(parsePreference('sepia', resolveThemeOptions().themes)).toBe('system')
  })
})

describe('resolveTheme', () => {
  it.each([
    ['light', 'light', 'light', 'light'],
    ['light', 'dark', 'light', 'light'],
    ['dark', 'light', 'dark', 'dark'],
    ['dark', 'dark', 'dark', 'dark'],
    ['system', 'light', 'light', 'light'],
    ['system', 'dark', 'dark', 'dark'],
    ['sepia', 'dark', 'sepia', 'light'],
    ['midnight', 'light', 'midnight', 'dark'],
    ['unknown', 'dark', 'dark', 'dark'],
  ] as const)('%s on a %s system is %s', (preference, system, name, scheme) => {
    expect(resolveTheme(preference, system, themes)).toMatchObject({ name, scheme })
  })
})

describe('nextPreference', () => {
  it.each([
    ['light', 'light dark system', 'dark light system'],
    ['dark', 'light dark system', 'light dark system'],
    ['light', 'system light dark', 'dark light system'],
    ['light', 'light sepia dark system', 'sepia dark light system'],
    ['light', 'light dark', 'light dark'],
    ['light', 'sepia system', 'sepia system'],
  ] as const)('in a %s system, the cycle %s has the order %s', (system, cycle, order) => {
    const names = order.split(' ')
    for (const [index, name] of names.entries()) {
      const next = names[(index + 1) % names.length]
      expect(nextPreference(name, cycle.split(' '), system)).toBe(next)
    }
  })

  it('is the first after a preference that is not in the cycle', () => {
    expect(nextPreference('sepia', ['light', 'dark', 'system'], 'light')).toBe('light')
  })

  it('is system for an empty cycle', () => {
    expect(nextPreference('dark', [], 'light')).toBe('system')
  })
})

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
  it.each(settings)('are the same after encoding and decoding: %s', (_name, options) => {
    for (const forced of [null, 'dark']) {
      const wire = { config: resolveThemeOptions(options), forced }
      expect(deserializeTheme(serializeTheme(wire))).toEqual(wire)
    }
  })
})
