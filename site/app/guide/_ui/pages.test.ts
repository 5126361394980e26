import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { guideGroups } from './pages.ts'

const appFolder = join(import.meta.dirname, '../..')
const guideFolder = join(appFolder, 'guide')
const written = readdirSync(guideFolder).filter((name) =>
  existsSync(join(guideFolder, name, 'page.mdx')),
)
const listed = guideGroups.flatMap((group) => group.pages.map(({ href }) => href))

describe('the guide', () => {
  test('lists every page that is written, and no other', () =>
    expect(listed.toSorted()).toEqual(written.map((name) => `/guide/${name}`).toSorted()))

  test.each(written)('%s begins with a title, and links to pages that exist', (name) => {
    const text = readPage(name)
    expect(text).toMatch(/^export const metadata = \{\n {2}title: /)
    const targets = [...text.matchAll(/\]\((\/[^)#]*)/g)].map((match) => match[1] ?? '')
    expect(targets.filter((target) => !isPage(target))).toEqual([])
  })
})

function readPage(name: string): string {
  return readFileSync(join(guideFolder, name, 'page.mdx'), 'utf8')
}

function isPage(pathname: string): boolean {
  return ['page.tsx', 'page.mdx'].some((file) => existsSync(join(appFolder, pathname, file)))
}
