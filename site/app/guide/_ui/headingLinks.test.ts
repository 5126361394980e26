import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { markdownOf } from '../../../mdx/markdown.mjs'
import { sectionsOf } from '../../../mdx/sections.ts'

const guideFolder = join(import.meta.dirname, '..')
const pages = readdirSync(guideFolder).filter((name) =>
  existsSync(join(guideFolder, name, 'page.mdx')),
)
const texts = new Map(
  pages.map((name) => [
    `/guide/${name}`,
    readFileSync(join(guideFolder, name, 'page.mdx'), 'utf8'),
  ]),
)
const headings = new Set(
  [...texts].flatMap(([href, text]) =>
    sectionsOf(href, '', markdownOf(text).markdown).map((section) => section.href),
  ),
)

test('each link to a heading of the guide leads to a heading', () => {
  const targets = [...texts].flatMap(([href, text]) =>
    [...text.matchAll(/\]\((\/guide\/[\w-]+)?(#[\w-]+)\)/g)].map(
      ([, page = href, hash]) => `${page}${hash}`,
    ),
  )
  expect(targets).toContain('/guide/errors-and-digests#instrumentation-ts')
  expect(targets.filter((target) => !headings.has(target))).toEqual([])
})
