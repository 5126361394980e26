import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ForcedTheme } from './ForcedTheme.tsx'
import { ThemeScope } from './ThemeScope.tsx'
import { ThemeSelect } from './ThemeSelect.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'
import { resolveThemeOptions } from './themeOptions.ts'
import { themePropsOf } from './themeScript.ts'
import { useTheme } from './useTheme.ts'

function Resolved() {
  return useTheme().resolved
}

describe('on the server', () => {
  it("the theme is light, because the server doesn't know it", () => {
    expect(renderToStaticMarkup(<Resolved />)).toBe('light')
  })

  it('components inside a forced theme use it', () => {
    expect(
      renderToStaticMarkup(
        <ForcedTheme theme="dark">
          <ForcedTheme theme={null}>
            <Resolved />
          </ForcedTheme>
        </ForcedTheme>,
      ),
    ).toBe('dark')
  })

  it('a scope marks its element and its colour scheme', () => {
    const scope = (
      <ThemeScope theme="dark" className="card" id="a">
        <Resolved />
      </ThemeScope>
    )
    const html = renderToStaticMarkup(scope)
    expect(html).toContain('[data-waymark-scheme=dark]{color-scheme:dark}')
    expect(html).toMatch(
      /<div class="card" id="a" data-theme="dark" data-waymark-scheme="dark">dark<.div>$/,
    )
  })

  it('a scope can use a class and a custom theme', () => {
    expect(
      renderToStaticMarkup(
        <ThemeScope theme="sepia" scheme="light" attribute="class" className="card" />,
      ),
    ).toMatch(/<div class="card sepia" data-waymark-scheme="light"><.div>$/)
  })

  it('a toggle contains the label of every state', () => {
    const html = renderToStaticMarkup(<ThemeToggle className="mine" />)
    expect(html).toContain('data-waymark-theme-toggle="light dark system"')
    for (const label of [
      '<b data-waymark-system="light">Theme: light. Switch to system.</b>',
      '<b data-waymark-system="dark">Theme: light. Switch to dark.</b>',
      '<b data-waymark-system="light">Theme: dark. Switch to light.</b>',
      '<b data-waymark-system="dark">Theme: dark. Switch to system.</b>',
      '<b data-waymark-system="light">Theme: system. Switch to dark.</b>',
      '<b data-waymark-system="dark">Theme: system. Switch to light.</b>',
      '<b>Theme: other. Switch to light.</b>',
    ]) {
      expect(html).toContain(label)
    }
  })

  it("a toggle uses labels in the page's language and leaves out invalid names", () => {
    const html = renderToStaticMarkup(
      <ThemeToggle
        cycle={['light', '"]{}</style><script>', 'dark']}
        names={{ light: 'hell', dark: 'dunkel' }}
        label={(state, next) => `Ansicht: ${state}. Wechseln zu ${next}.`}
      />,
    )
    expect(html).toContain('data-waymark-theme-toggle="light dark"')
    expect(html).toContain('Ansicht: hell. Wechseln zu dunkel.')
    expect(html).not.toContain('<script')
  })

  it('a select lists system and all themes', () => {
    const html = renderToStaticMarkup(<ThemeSelect themes={['light', 'dark', 'sepia']} />)
    expect(html).toContain('<option value="system" selected="">System</option>')
    expect(html).toContain('<option value="sepia">sepia</option>')
    expect(html).toMatch(/<label[^>]*><span>Theme<\/span><select/)
  })
})

describe('themeHtmlProps', () => {
  const config = resolveThemeOptions({
    attribute: ['class', 'data-mode'],
    themes: { sepia: 'light' },
  })

  it('returns the props of a theme that the server knows', () => {
    expect(themePropsOf('sepia', config)).toEqual({
      className: 'sepia',
      'data-mode': 'sepia',
    })
  })

  it('returns no props for system', () => {
    expect(themePropsOf('system', config)).toEqual({})
  })
})
