/**
 * Writes the guide as Markdown into the package, for readers and coding agents: `dist/docs/NAME.md`, and
 * `README.md` there, which lists them. `npm run build -w waymark` runs it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownOf } from '../../site/mdx/markdown.mjs'
import { root } from './paths.mjs'

/** What all pages together may have. */
export const maxDocsBytes = 420_000

const guide = join(root, 'site/app/guide')
const target = join(root, 'packages/waymark/dist/docs')
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })

let bytes = 0
/** @param {string} name @param {string} text */
function write(name, text) {
  bytes += Buffer.byteLength(text)
  writeFileSync(join(target, `${name}.md`), text)
}

const names = readdirSync(guide).filter((name) => existsSync(join(guide, name, 'page.mdx')))
const lines = names.map((name) => {
  const page = markdownOf(readFileSync(join(guide, name, 'page.mdx'), 'utf8'))
  // Pages stand beside each other here.
  write(name, `${page.markdown.replaceAll(/\]\(\/guide\/([\w-]+)/g, '](./$1.md')}\n`)
  return `- [${page.title}](./${name}.md): ${page.description}`
})
write('README', `# Waymark: the guide of this version\n\n${lines.join('\n')}\n`)
if (bytes > maxDocsBytes) {
  throw new Error(`The guide in the package has ${bytes} bytes, more than ${maxDocsBytes}.`)
}
