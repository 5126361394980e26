import { expect, test } from 'vitest'
import { readPackageTexts } from './packageTexts.ts'

declare module './packageTexts.ts' {
  interface PackageTexts {
    'package-of-test': typeof english
  }
}

const english = { behind: 'Behind', group: { title: 'Title', close: 'Close' } }

/** Creates a document in a language, optionally with packages' texts. */
function documentWith(lang: string, packages?: object): Document {
  const textContent = JSON.stringify({ lang, texts: packages === undefined ? {} : { packages } })
  return { querySelector: () => ({ textContent }) } as unknown as Document
}

const read = (from: Document) => readPackageTexts('package-of-test', english, from)

test('texts in the document replace the English ones and set language and direction', () => {
  const group = { title: 'כותרת' }
  expect(read(documentWith('he', { 'package-of-test': { group } }))).toEqual({
    lang: 'he',
    dir: 'rtl',
    texts: { behind: 'Behind', group: { title: 'כותרת', close: 'Close' } },
  })
})

const inEnglish = { lang: 'en', dir: 'ltr', texts: english }

test.each([
  ['no texts', { querySelector: () => null } as unknown as Document],
  ['no texts of packages', documentWith('de')],
  ['texts of another package', documentWith('de', { other: { behind: 'Veraltet' } })],
  [
    'none of the texts that are read',
    documentWith('de', { 'package-of-test': { other: 'Anderes' } }),
  ],
])('the texts are English if the document has %s', (_name, from) => {
  expect(read(from)).toEqual(inEnglish)
})
