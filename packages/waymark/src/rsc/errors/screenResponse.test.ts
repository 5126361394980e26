import { expect, test } from 'vitest'
import { localeBlockId } from '../../wire/documentMarks.ts'
import { createAppScreens, type Screens, type ScreensRequest } from './screenResponse.ts'

const english = { behind: 'Behind', group: { title: 'Title', close: 'Close' } }
const german = { behind: 'Veraltet', group: { title: 'Titel' } }
const packages = { '@x/notes': { en: english, de: german }, plain: { en: { ok: 'OK' } } }

const noLog = () => {}

/** Returns the texts that a document in a language contains; `null` if it contains none. */
function sentTexts(screens: Screens, lang: string, packageTexts: object = packages): unknown {
  const headers = { get: () => lang }
  const { headOf } = createAppScreens(screens, { ...packageTexts }, noLog)
  const head = headOf({ request: { headers }, pathname: '/', isPrerender: false })
  const [, json] = new RegExp(`id="${localeBlockId}">(.*)</script>$`).exec(head) ?? []
  return json === undefined ? null : JSON.parse(json)
}

/** Cast the texts, because the test app's types don't include packages. JavaScript can use any package's name. */
const replaced = (texts: object) => texts as NonNullable<Screens['texts']>

test("a document has the app's texts except those that only the server needs", () => {
  const http = { 413: { heading: 'Zu groß' } }
  const texts = { de: { serverErrorTitle: 'Fehler', reload: 'Neu laden', http } }
  expect(sentTexts({ texts }, 'de', {})).toEqual({ lang: 'de', texts: { reload: 'Neu laden' } })
})

test("a package's texts are in the language of the document, and are left out for English", () => {
  const texts = { de: {}, 'de-AT': {}, fr: {} }
  const packageTexts = { '@x/notes': german }
  expect(sentTexts({ texts }, 'de')).toEqual({ lang: 'de', texts: { packages: packageTexts } })
  expect(sentTexts({ texts }, 'de-AT')).toEqual({
    lang: 'de-AT',
    texts: { packages: packageTexts },
  })
  expect(sentTexts({ texts }, 'fr')).toEqual({ lang: 'fr', texts: {} })
  expect(sentTexts({ texts }, 'en')).toBe(null)
  expect(sentTexts({}, 'de')).toBe(null)
})

test('an app without texts for a language gets the texts of packages in English', () => {
  expect(sentTexts({ language: () => 'de' }, 'de')).toBe(null)
  expect(sentTexts({ defaultLanguage: 'de' }, 'de')).toBe(null)
  expect(sentTexts({ defaultLanguage: 'de', texts: { de: {} } }, 'fr')).toEqual({
    lang: 'de',
    texts: { packages: { '@x/notes': german } },
  })
})

test('a language that the app chooses may be more special than those with texts', () => {
  const texts = { de: { home: 'Startseite' } }
  const language = ({ headers }: ScreensRequest) => headers.get('accept-language')
  const sent = { lang: 'de', texts: { home: 'Startseite' } }
  expect(sentTexts({ texts, language }, 'de-AT', {})).toEqual(sent)
  expect(sentTexts({ texts, language }, 'den', {})).toBe(null)
})

test('a default language without texts is logged, with what to write', () => {
  const messages: string[] = []
  const log = (message: string) => messages.push(message)
  createAppScreens({ defaultLanguage: 'de', texts: { fr: {} } }, {}, log)
  createAppScreens({ defaultLanguage: 'fr', texts: { fr: {} } }, {}, log)
  createAppScreens({ defaultLanguage: 'en' }, {}, log)
  expect(messages).toEqual([
    'screens.ts has the default language de, but no texts for it, so English is used. Add "de": {} to texts, with your translations.',
  ])
})

test("in a list of tables, the app's own texts win over a translation, also for the status 500", () => {
  const error = { heading: 'Fehler auf dem Server', sentence: 'Bitte neu laden.' }
  const translation = {
    serverError: error,
    serverErrorTitle: 'Fehler',
    statusTitle: '{status} – {heading}',
    reload: 'Neu laden',
    home: 'Startseite',
  }
  const own = { http: { 500: { heading: 'Ups' } }, home: 'Anfang' }
  const texts = { de: [translation, own] }
  expect(sentTexts({ texts }, 'de', {})).toMatchObject({
    texts: { reload: 'Neu laden', home: 'Anfang' },
  })
  const request = { request: { headers: { get: () => 'de' } }, pathname: '/', isPrerender: false }
  const locale = createAppScreens({ texts }, {}, noLog).localeOf(request)
  expect(locale.texts).toMatchObject({
    serverError: { ...error, heading: 'Ups' },
    serverErrorTitle: '500 – Ups',
    reload: 'Neu laden',
  })
})

test('an app can replace some texts of a package, in any language', () => {
  const notes = { group: { close: 'Weg' } }
  const texts = replaced({ de: { packages: { '@x/notes': notes, plain: { ok: 'Gut' } } } })
  expect(sentTexts({ texts }, 'de')).toMatchObject({
    texts: {
      packages: {
        '@x/notes': { behind: 'Veraltet', group: { title: 'Titel', close: 'Weg' } },
        plain: { ok: 'Gut' },
      },
    },
  })
  const inEnglish = replaced({ en: { packages: { '@x/notes': { behind: 'Old' } } } })
  expect(sentTexts({ texts: inEnglish }, 'en')).toEqual({
    lang: 'en',
    texts: { packages: { '@x/notes': { behind: 'Old' } } },
  })
})

test('texts of an unlisted package are left out, and the log names the package', () => {
  const texts = replaced({
    de: { packages: { other: { title: 'Anderes' }, constructor: { name: 'x' } } },
    fr: { packages: { other: { title: 'Autre' } } },
  })
  expect(sentTexts({ texts }, 'de', {})).toEqual({ lang: 'de', texts: {} })
  const messages: string[] = []
  createAppScreens({ texts }, {}, (message) => messages.push(message))
  expect(messages).toEqual([
    'screens.ts contains texts for other that are never used: vite.config.ts lists no package of that name with texts that can be replaced. Correct the name or remove these texts.',
    expect.stringContaining('for constructor that'),
  ])
})

test('the language of the page decides, if it is known', () => {
  const screens = createAppScreens({ texts: { de: {}, pt: {} } }, {}, noLog, (pathname) =>
    pathname === '/' ? null : pathname.slice(1),
  )
  const langOf = (pathname: string, isPrerender = false) =>
    screens.localeOf({ request: { headers: { get: () => 'de' } }, pathname, isPrerender }).lang
  expect(langOf('/pt-BR')).toBe('pt')
  expect(langOf('/pt-BR', true)).toBe('pt')
  expect(langOf('/en')).toBe('en')
  expect(langOf('/ja')).toBe('en')
  expect(langOf('/')).toBe('de')
})
