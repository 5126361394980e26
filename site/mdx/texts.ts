import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { markdownOf } from './markdown.mjs'
import { entryNames, packageFolder, referencePage } from './reference.ts'

const guideFolder = resolve(import.meta.dirname, '../app/guide')
const changelog = join(packageFolder, 'CHANGELOG.md')
const texts = 'virtual:texts'
const written = /^virtual:(changelog|reference\/\w+)\.mdx$/

/**
 * Gives the site its own texts: `virtual:texts`, the pages of guide and reference as Markdown;
 * `virtual:changelog.mdx` and `virtual:reference/….mdx`, pages whose source is elsewhere. Pages of
 * the guide get a link to their Markdown.
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
        description: 'What has changed, by release.',
        markdown,
      })
    },
    transform(code, id) {
      const [, name] = /\/app\/guide\/([\w-]+)\/page\.mdx$/.exec(id) ?? []
      if (name === undefined) return null
      const twin = JSON.stringify({ types: { 'text/markdown': `/guide/${name}.md` } })
      const begin = 'export const metadata = {'
      return { code: code.replace(begin, `${begin} alternates: ${twin},`), map: null }
    },
  }
}

async function textsModule(watch: (file: string) => void): Promise<string> {
  const guide: Record<string, ReturnType<typeof markdownOf>> = {}
  for (const name of readdirSync(guideFolder)) {
    const file = join(guideFolder, name, 'page.mdx')
    if (!existsSync(file)) continue
    watch(file)
    guide[name] = markdownOf(readFileSync(file, 'utf8'))
  }
  const reference = await Promise.all(
    entryNames().map(async (name) => [name, await referencePage(name)] as const),
  )
  return [
    `export const guide = ${JSON.stringify(guide)}`,
    `export const reference = ${JSON.stringify(Object.fromEntries(reference))}`,
  ].join('\n')
}

function withMetadata({ markdown, ...metadata }: ReturnType<typeof markdownOf>): string {
  return `export const metadata = ${JSON.stringify(metadata)}\n\n${markdown}`
}
