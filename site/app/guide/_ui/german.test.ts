import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCodeBlocks } from '../../../../scripts/guide/codeBlocks.ts'
import { germanPages } from '../../_ui/germanPages.ts'
import { germanUrl } from '../../_ui/language.ts'
import { germanTexts } from './german.ts'
import { guideGroups, learningPath } from './pages.ts'

const appFolder = join(import.meta.dirname, '../..')
const readPage = (href: string) => readFileSync(join(appFolder, href, 'page.mdx'), 'utf8')
const translated = Object.keys(germanPages)

test('every page that is written in German has a German title', () => {
  const folder = join(appFolder, 'de/guide')
  const written = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'page.mdx')))
  expect(written.map((name) => `/guide/${name}`).toSorted()).toEqual(translated.toSorted())
})

test('each group of the guide has a German heading and summary', () => {
  const texts = [
    ...guideGroups.map(({ title }) => title),
    ...learningPath.map(({ summary }) => summary),
  ]
  expect(texts.filter((text) => !(text in germanTexts))).toEqual([])
})

test.each(translated)('%s has the same code in German as in English', (href) => {
  const codeOf = (page: string) => readCodeBlocks(readPage(page)).map(({ code }) => code)
  expect(codeOf(`/de${href}`)).toEqual(codeOf(href))
})

test.each(translated)('%s has the same headings in German as in English', (href) => {
  const levelsOf = (page: string) =>
    [
      ...readPage(page)
        .replaceAll(/^```[\s\S]*?^```$/gm, '')
        .matchAll(/^(#+) /gm),
    ].map(([, level]) => level)
  expect(levelsOf(`/de${href}`)).toEqual(levelsOf(href))
})

test.each(translated)('%s links to German pages if they exist', (href) => {
  const targets = [...readPage(`/de${href}`).matchAll(/\]\((\/[^)]*)\)/g)].map(([, to = '']) => to)
  expect(targets.filter((to) => germanUrl(to) === null && !to.startsWith('/lab/'))).toEqual([])
})
