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
 * A Vite plugin with virtual modules for the site. `virtual:texts` contains the pages of the guide and
 * the reference as Markdown. `virtual:changelog.mdx` and `virtual:reference/….mdx` are pages whose
 * source is outside of the site. The plugin also adds a link to the Markdown version to each page of
 * the guide.
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
