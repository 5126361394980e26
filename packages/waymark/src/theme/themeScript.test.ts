import { describe, expect, it } from 'vitest'
import { parsePreference, resolveTheme } from './config.ts'
import { badStoredValues } from './testing/fakeWindow.ts'
import { paint } from './testing/paintedPage.ts'
import { resolveThemeOptions } from './themeOptions.ts'
import { themeHead, themeScript } from './themeScript.ts'

const plain = resolveThemeOptions()
const rich = resolveThemeOptions({
  storageKey: 'app:theme',
  attribute: ['class', 'data-mode'],
  themes: { sepia: 'light', midnight: 'dark' },
  themeColors: { light: '#fff', dark: '#111', midnight: '#004' },
})

const storedValues = [
  ...['light', 'dark', 'system', 'sepia', 'midnight'].map((v) => [v, v] as const),
  ...badStoredValues,
]

describe('the pre-paint script', () => {
  it.each(storedValues)('agrees with the pure functions on %s', (_name, stored) => {
    for (const config of [plain, rich]) {
      for (const systemDark of [true, false, null]) {
        const preference = parsePreference(stored, config.themes)
        const theme = resolveTheme(preference, systemDark ? 'dark' : 'light', config.themes)
        const page = paint({ config, stored, systemDark })
        expect(page.preference).toBe(preference)
        expect(page.colorScheme).toBe(theme.scheme)
        if (config === plain) expect(page.attributes).toEqual({ 'data-theme': theme.name })
        else
          expect([page.classes[1], page.attributes]).toEqual([
            theme.name,
            { 'data-mode': theme.name },
          ])
        expect(page.colors).toEqual([theme.color ?? '', theme.color ?? ''])
      }
    }
  })

  it('follows the system when storage throws', () => {
    const stored = new Error('SecurityError')
    for (const systemDark of [true, false, null]) {
      const page = paint({ config: plain, stored, systemDark })
      expect(page.attributes['data-theme']).toBe(systemDark ? 'dark' : 'light')
      expect(page.preference).toBe('system')
    }
  })

  it('keeps the classes of the page', () => {
    expect(paint({ config: rich, stored: 'dark', systemDark: false }).classes).toEqual([
      'app',
      'dark',
    ])
  })

  it('shows a forced theme without changing the preference', () => {
    const page = paint({ config: plain, forced: 'dark', stored: 'light', systemDark: false })
    expect(page).toMatchObject({
      attributes: { 'data-theme': 'dark' },
      preference: 'light',
      colorScheme: 'dark',
    })
  })

  it('ignores a forced theme that is not configured', () => {
    const page = paint({ config: plain, forced: 'purple', stored: 'dark', systemDark: false })
    expect(page.attributes['data-theme']).toBe('dark')
  })

  it('leaves no globals', () => {
    expect(paint({ config: rich, stored: 'dark', systemDark: true }).globals).toEqual([])
  })

  it('is under 500 bytes as sent, and the same on every page of an app', () => {
    expect(Buffer.byteLength(themeHead(plain))).toBeLessThan(500)
    expect(Buffer.byteLength(themeScript(rich))).toBeLessThan(500)
  })

  it('can be inlined', () => {
    for (const config of [plain, rich])
      expect(themeScript(config)).not.toMatch(/<\/script|<!--|<script/i)
  })
})

describe('themeHead', () => {
  it("escapes the app's settings", () => {
    const config = resolveThemeOptions({
      themeColors: { light: `"'<&>`, dark: '</script><img src=x>' },
    })
    const html = themeHead(config, `'><b>`)
    expect(html.match(/<\/?[a-z]+/g)).toEqual(['<meta', '<meta', '<script', '</script'])
  })

  it("sets the colour of the system's theme for browsers without scripts", () => {
    const html = themeHead(rich)
    expect(html).toContain(
      '<meta name="theme-color" content="#111" media="(prefers-color-scheme:dark)">',
    )
  })
})
