import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { type ScreenRequest, screenModel } from './model.ts'
import { Screen, ScreenPage } from './Screen.tsx'
import { screenDocument, screenMarkup } from './screenDocument.ts'
import { createLocale } from './screenTexts.ts'
import { screenStyle } from './style.ts'

const hostile = `"><img src=x onerror='1'>&amp;</script>`

const screens: [name: string, screen: ScreenRequest][] = [
  ['404', { kind: 'status', status: 404 }],
  ['401', { kind: 'status', status: 401 }],
  ['403', { kind: 'status', status: 403 }],
  ['400', { kind: 'status', status: 400 }],
  ['418', { kind: 'status', status: 418 }],
  ['an exception in the browser', { kind: 'application', side: 'client', host: hostile }],
  [
    'an exception on the server',
    { kind: 'application', side: 'server', host: 'a.b', digest: hostile },
  ],
]

describe.each(screens)('the screen for %s', (_name, screen) => {
  it('has the same markup from React and from the template', () => {
    for (const element of ['main', 'div'] as const) {
      const rendered = renderToStaticMarkup(<Screen model={screenModel(screen)} as={element} />)
      const withoutStyle = rendered.replace(/^<style.*?<\/style>/, '')
      expect(screenMarkup(screenModel(screen), element)).toBe(withoutStyle)
    }
  })

  it('has the same body as a whole page, apart from scripts', () => {
    const body = (html: string) => /<body>(.*?)(<script|<\/body>)/s.exec(html)?.[1]
    const rendered = renderToStaticMarkup(<ScreenPage model={screenModel(screen)} />)
    expect(body(screenDocument({ screen }))).toBe(body(rendered))
  })

  it('is marked noindex and escapes markup from outside', () => {
    const locale = createLocale(hostile, { reload: hostile, otherHttp: { heading: hostile } })
    const html = screenDocument({ screen, locale })
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).not.toMatch(/<img|onerror='/)
  })

  it('loads no other files', () => {
    expect(screenDocument({ screen })).not.toMatch(/<link|<[^>]* src=|@import|url\(/)
  })
})

describe('a screen', () => {
  it('has its style inline, unchanged', () => {
    const html = renderToStaticMarkup(
      <Screen model={screenModel({ kind: 'status', status: 404 })} />,
    )
    expect(html).toContain(`>${screenStyle}</style>`)
  })

  it('hides Back until a script shows it, and has a plain link to reload', () => {
    const html = screenMarkup(screenModel({ kind: 'status', status: 500 }))
    expect(html).toContain('<button type="button" hidden="" data-waymark-back="">Back</button>')
    expect(html).toContain('<a href="" data-waymark-document="">Reload</a>')
  })

  it('uses the texts of another language where they exist', () => {
    const locale = createLocale('de', {
      fallbacks: { 404: { heading: 'Diese Seite gibt es nicht.' } },
      home: 'Startseite',
    })
    const screen = { kind: 'status', status: 404 } as const
    const html = screenDocument({ screen, locale })
    expect(html).toContain('<html lang="de" dir="ltr">')
    expect(html).toContain('<title>404: Diese Seite gibt es nicht.</title>')
    expect(html).toContain('<a href="/" data-waymark-document="">Startseite</a>')
    expect(html).toContain('>Reload</a>')
  })

  it('supports languages written from right to left', () => {
    const html = screenDocument({
      screen: { kind: 'status', status: 500 },
      locale: createLocale('ar', {}),
    })
    expect(html).toContain('<html lang="ar" dir="rtl">')
  })
})
