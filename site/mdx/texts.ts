import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { alternatesOf } from '../app/_ui/language.ts'
import { type MarkdownPage, markdownOf } from './markdown.mjs'
import { entryNames, packageFolder, referencePage } from './reference.ts'

const guideFolder = resolve(import.meta.dirname, '../app/guide')
const germanFolder = resolve(import.meta.dirname, '../app/de/guide')
const changelog = join(packageFolder, 'CHANGELOG.md')
const texts = 'virtual:texts'
const written = /^virtual:(changelog|reference\/\w+)\.mdx$/

/**
 * A Vite plugin with virtual modules for the site. `virtual:texts` contains the pages of the guide and
 * the reference as Markdown. `virtual:changelog.mdx` and `virtual:reference/….mdx` are pages whose
 * source is outside of the site. To each page of the guide, the plugin adds links
 * to its Markdown version and to its version in the other language.
 */
export function textsPlugin(): Plugin {
  return {
    name: 'site:texts',
    enforce: 'pre',
    resolveId(id) {
      if (id === texts) return `\0${texts}`
      const [, name] = written.exec(id) ?? []
      return name && join(import.meta.dirname, 'written', `${name}.mdx`)
    },
    async load(id) {
      if (id === `\0${texts}`) return textsModule((file) => this.addWatchFile(file))
      const [, name] = /\/mdx\/written\/(.+)\.mdx$/.exec(id) ?? []
      if (name === undefined) return null
      if (name !== 'changelog') return withMetadata(await referencePage(name.replace(/^.*\//, '')))
      this.addWatchFile(changelog)
      const markdown = readFileSync(changelog, 'utf8')
      return withMetadata({
        title: 'Changelog',
        description: 'The changes in each release.',
        markdown,
      })
    },
    transform(code, id) {
      const [, german, name] = /\/app\/(de\/)?guide\/([\w-]+)\/page\.mdx$/.exec(id) ?? []
      if (name === undefined) return null
      const href = `/guide/${name}`
      const alternates = {
        ...alternatesOf(href, german ? 'de' : 'en'),
        ...(!german && { types: { 'text/markdown': `${href}.md` } }),
      }
      const begin = 'export const metadata = {'
      const first = `${begin} alternates: ${JSON.stringify(alternates)},`
      return { code: code.replace(begin, first), map: null }
    },
  }
}

async function textsModule(watch: (file: string) => void): Promise<string> {
  const reference = await Promise.all(
    entryNames().map(async (name) => [name, await referencePage(name)] as const),
  )
  return [
    `export const guide = ${JSON.stringify(readPages(guideFolder, watch))}`,
    `export const german = ${JSON.stringify(readPages(germanFolder, watch))}`,
    `export const reference = ${JSON.stringify(Object.fromEntries(reference))}`,
  ].join('\n')
}

/** Reads the pages in a folder as Markdown, by the names of their folders. */
function readPages(folder: string, watch: (file: string) => void): Record<string, MarkdownPage> {
  const pages: Record<string, MarkdownPage> = {}
  for (const name of readdirSync(folder)) {
    const file = join(folder, name, 'page.mdx')
    if (!existsSync(file)) continue
    watch(file)
    pages[name] = markdownOf(readFileSync(file, 'utf8'))
  }
  return pages
}

function withMetadata({ markdown, ...metadata }: ReturnType<typeof markdownOf>): string {
  return `export const metadata = ${JSON.stringify(metadata)}\n\n${markdown}`
}
