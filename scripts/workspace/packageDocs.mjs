/**
 * Writes the guide as Markdown into a package, for readers and coding agents, as
 * `dist/docs/NAME.md`. A guide page about a package other than the core is written into that
 * package. `README.md` in the core lists all pages. The packages' builds run this script with the
 * package's folder as argument.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownOf } from '../../site/mdx/markdown.mjs'
import { root } from './paths.mjs'

/**
 * For each guide page about a package other than the core, the name of that package.
 * @type {Readonly<Record<string, string>>}
 */
const packageOfPage = {
  arrivals: 'arrivals',
  'bring-an-app': 'next',
  drill: 'testing',
  offline: 'offline',
  replay: 'replay',
  sessions: 'session',
  sockets: 'live',
  streams: 'live',
}

const guide = join(root, 'site/app/guide')
const folder = process.argv[2] ?? 'waymark'
const target = join(root, 'packages', folder, 'dist/docs')
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })

const owner = (/** @type {string} */ name) => packageOfPage[name] ?? 'waymark'

/**
 * Returns the path to a page. If the page belongs to the same package, the path is in the same
 * folder. Otherwise, the path leads to the folder in which an app has installed the page's package.
 */
function place(/** @type {string} */ name) {
  const from = owner(name)
  // Apps install `@waymark/next` under the name `next`.
  const scope = from === 'waymark' || from === 'next' ? from : `@waymark/${from}`
  return from === folder ? `./${name}.md` : `node_modules/${scope}/dist/docs/${name}.md`
}

const pages = readdirSync(guide)
  .filter((name) => existsSync(join(guide, name, 'page.mdx')))
  .map((name) => ({ name, ...markdownOf(readFileSync(join(guide, name, 'page.mdx'), 'utf8')) }))

for (const { name, markdown } of pages.filter(({ name }) => owner(name) === folder)) {
  const text = markdown.replaceAll(
    /\]\(\/guide\/([\w-]+)/g,
    (_, /** @type {string} */ linked) => `](${place(linked)}`,
  )
  writeFileSync(join(target, `${name}.md`), `${text}\n`)
}
if (folder === 'waymark') {
  const list = pages.map(
    ({ name, title, description }) => `- [${title}](${place(name)}): ${description}`,
  )
  const text = `# Waymark: the guide of this version\n\n${list.join('\n')}\n`
  writeFileSync(join(target, 'README.md'), text)
}
