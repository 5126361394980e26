import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type ESTree, parseSync } from 'vite'
import type { MarkdownPage } from './markdown.mjs'

// The packages of the reference: first the core, then the optional ones.
const packages = [
  'waymark',
  '@waymark/arrivals',
  '@waymark/cloudflare',
  '@waymark/conformance',
  '@waymark/contract',
  '@waymark/devtools',
  '@waymark/font',
  '@waymark/i18n',
  '@waymark/image',
  '@waymark/lambda',
  '@waymark/live',
  '@waymark/offline',
  '@waymark/operations',
  '@waymark/otel',
  '@waymark/redis',
  '@waymark/replay',
  '@waymark/s3',
  '@waymark/schedule',
  '@waymark/session',
  '@waymark/speedups',
  '@waymark/testing',
  '@waymark/vercel',
]

const { resolve: findFile } = createRequire(import.meta.url)
const folderOf = (name: string) => dirname(findFile(`${name}/package.json`))

/** Folder in which Waymark's core package is installed. */
export const packageFolder = folderOf('waymark')

/** A public entry, with its import specifier and its declaration file. */
type Entry = { readonly specifier: string; readonly file: string }

/** Returns the names of the public entries, as in the URLs of their pages. `index` is `waymark`. */
export function entryNames(): string[] {
  return Object.keys(publicEntries())
}

function publicEntries(): Record<string, Entry> {
  return Object.fromEntries(packages.flatMap(entriesOf))
}

/**
 * Returns an entry's name: the file name for an entry of the core, otherwise a name with the package,
 * such as `imageRemote`.
 */
function entriesOf(name: string): [string, Entry][] {
  const { exports } = JSON.parse(readFileSync(findFile(`${name}/package.json`), 'utf8')) as {
    exports: Readonly<Record<string, unknown>>
  }
  const shortName = name.replace(/^waymark$|^@waymark\//, '')
  return Object.entries(exports).flatMap(([key, target]): [string, Entry][] => {
    if (key.startsWith('./internal')) return []
    const path = typeof target === 'string' ? target : (target as { default?: string }).default
    const [, base] = /^\.\/dist\/(\w+)\.js$/.exec(path ?? '') ?? []
    if (!base) return []
    const file = join(folderOf(name), 'dist', `${base}.d.ts`)
    const further = key.slice(2).replace(/^./, (letter) => letter.toUpperCase())
    const page = shortName === '' ? base : shortName + further
    return [[page, { specifier: key.replace('.', name), file }]]
  })
}

/** Writes the page of an entry as Markdown, with the docstring and declaration of each export. */
export async function referencePage(entry: string): Promise<MarkdownPage> {
  const { specifier: title, file } = publicEntries()[entry] ?? unknownEntry(entry)
  const items = exportsOf(file)
    .map(({ name, source }) => describe(name, source))
    .toSorted((one, other) => Number(one.isType) - Number(other.isType) || byName(one, other))
  const parts = [false, true].flatMap((isType) => {
    const texts = items.filter((item) => item.isType === isType).map(({ text }) => text)
    return texts.length > 0 ? [`## ${isType ? 'Types' : 'Values'}`, ...texts] : []
  })
  return {
    title,
    description: `Every export of ${title}: functions, components and types, with their options.`,
    markdown: [`# ${title}`, ...parts].join('\n\n'),
  }
}

function unknownEntry(name: string): never {
  throw new Error(`No package of the reference has an entry ${name}.`)
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name.localeCompare(other.name, 'en')
}

type Exported = { readonly name: string; readonly source: string }

/** Returns the names that an entry declares or re-exports, each with the file that declares it. */
function exportsOf(file: string): Exported[] {
  return parse(file).body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return []
    if (!node.source) return declaredNames(node).map((name) => ({ name, source: file }))
    const source = resolve(dirname(file), node.source.value.replace(/\.tsx?$/, '.d.ts'))
    return node.specifiers.flatMap(({ exported }) =>
      exported.type === 'Identifier' ? [{ name: exported.name, source }] : [],
    )
  })
}

type Item = { readonly name: string; readonly isType: boolean; readonly text: string }

/** @throws if the file doesn't declare the name, because a page must not omit it silently */
function describe(name: string, file: string): Item {
  const { body, comments, text } = parse(file)
  const declarations = body.filter((node) => declaredNames(node).includes(name))
  const [first] = declarations
  if (!first) return describeReexport(name, file)
  const comment = comments.find(({ end }) => {
    return end <= first.start && text.slice(end, first.start).trim() === ''
  })
  const code = declarations.map(({ start, end }) => text.slice(start, end)).join('\n')
  const declaration = code.replaceAll(/^export (?:declare )?/gm, '').replaceAll(/^ {4,}/gm, halved)
  return {
    name,
    isType: /^(?:type|interface)\b/.test(declaration),
    text: [
      `### ${name}`,
      comment?.type === 'Block' ? docText(comment.value) : '',
      `\`\`\`ts\n${declaration}\n\`\`\``,
    ]
      .filter(Boolean)
      .join('\n\n'),
  }
}

/** Follows an exported name to the file that declares it. */
function describeReexport(name: string, file: string): Item {
  const further = exportsOf(file).find((item) => item.name === name)
  if (!further)
    throw new Error(
      `An entry point of the waymark package exports ${name} from ${file}, but this file doesn't declare it.`,
    )
  return describe(name, further.source)
}

function declaredNames(node: ESTree.Statement | ESTree.Directive): string[] {
  const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
  if (!declaration) return []
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []))
  }
  const { id } = declaration as { id?: { name?: string } | null }
  return id?.name ? [id.name] : []
}

// Halve the indentation, because TypeScript indents by four spaces, but the site by two.
function halved(spaces: string): string {
  return ' '.repeat(spaces.length / 2)
}

/** Returns the text of a docstring, with its tags as a list. */
function docText(comment: string): string {
  const lines = comment.replace(/^\*/, '').split('\n')
  const text = lines.map((line) => line.replace(/^\s*\* ?/, '').trimEnd()).join('\n')
  const [prose = '', ...tags] = text.trim().split(/^@/m)
  const list = tags.map((tag) => {
    const [, kind = '', name = '', rest = ''] =
      /^(param|\w+)(?:(?<=param) ([\w.]+))?\s*([\s\S]*)$/.exec(tag.trim()) ?? []
    return `- *${kind}*${name && ` \`${name}\``} ${rest.replaceAll(/\s+/g, ' ')}`
  })
  return escapeMdx([prose.trim(), list.join('\n')].filter(Boolean).join('\n\n'))
}

/** Escapes braces and angle brackets outside of code, which MDX would read as JavaScript. */
function escapeMdx(text: string): string {
  return text.replaceAll(/`[^`]*`|[{<]/g, (match) => (match.length > 1 ? match : `\\${match}`))
}

function parse(file: string) {
  const text = readFileSync(file, 'utf8')
  const { program, comments, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]?.message}`)
  return { text, body: program.body, comments }
}
