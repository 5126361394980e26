import { expect, test } from 'vitest'
import type { CachedPage } from '../shared/cachedPage.ts'
import { pagesToDrop } from './budget.ts'

function page(url: string, changes: Partial<CachedPage> = {}): CachedPage {
  return {
    url,
    data: `${url}.rsc`,
    title: url,
    isScreen: false,
    bytes: 10,
    files: [['/a.js', 50]],
    savedAtMs: 0,
    expiresAtMs: 1_000,
    cache: 'c',
    build: 'b',
    isPrivate: false,
    ...changes,
  }
}
const limits = { maxBytes: 75, nowMs: 500, isPinned: () => false }
const urls = (pages: readonly CachedPage[]) => pages.map(({ url }) => url)

test('pages share their files, and the newest pages get room first', () => {
  const pages = [page('/new'), page('/middle'), page('/old')]
  expect(urls(pagesToDrop(pages, limits))).toEqual(['/old'])
})

test('a file counts once for each build', () => {
  const pages = [page('/new'), page('/other', { build: 'a' })]
  expect(urls(pagesToDrop(pages, limits))).toEqual(['/other'])
})

test('pages cached in advance are deleted last, and expired pages are deleted first', () => {
  const isPinned = ({ url }: CachedPage) => url === '/pinned'
  const pages = [page('/new'), page('/gone', { expiresAtMs: 500 }), page('/pinned')]
  expect(urls(pagesToDrop(pages, { ...limits, isPinned, maxBytes: 65 }))).toEqual(['/new', '/gone'])
})
