import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Alias } from 'vite'

/**
 * Reads the path aliases in `jsconfig.json`, which JavaScript apps have in place of
 * `tsconfig.json`. Vite doesn't read it.
 * @param root of the project, absolute
 */
export function jsconfigAliases(root: string): Alias[] {
  const file = path.join(root, 'jsconfig.json')
  if (!existsSync(file) || existsSync(path.join(root, 'tsconfig.json'))) return []
  const { compilerOptions = {} } = readOptions(file)
  const { baseUrl, paths = {} } = compilerOptions
  const base = path.resolve(root, baseUrl ?? '.')
  const aliases = Object.entries(paths).flatMap(([pattern, targets]) =>
    aliasOf(pattern, targets, base),
  )
  return baseUrl === undefined ? aliases : [...aliases, ...entriesOf(base, root)]
}

/**
 * Reads the path aliases in `tsconfig.json`, or in the files that it extends. Vite resolves them in
 * imports of single files only.
 * @param root of the project, absolute
 */
export function tsconfigAliases(root: string): Alias[] {
  for (let file = path.join(root, 'tsconfig.json'); existsSync(file); ) {
    const { compilerOptions, extends: parents } = readOptions(file)
    const { baseUrl = '.', paths } = compilerOptions ?? {}
    const folder = path.dirname(file)
    if (paths) {
      const base = path.resolve(folder, baseUrl)
      return Object.entries(paths).flatMap(([pattern, targets]) => aliasOf(pattern, targets, base))
    }
    const [parent] = [parents ?? []].flat()
    // Presets from packages contain no paths of the app.
    if (!parent?.startsWith('.')) return []
    file = path.resolve(folder, parent.endsWith('.json') ? parent : `${parent}.json`)
  }
  return []
}

function readOptions(file: string): Jsconfig {
  return parseWithComments(readFileSync(file, 'utf8')) as Jsconfig
}

type Jsconfig = {
  readonly extends?: string | readonly string[]
  readonly compilerOptions?: {
    readonly baseUrl?: string
    readonly paths?: Readonly<Record<string, readonly string[]>>
  }
}

/**
 * Parses JSON with comments and trailing commas. Strings such as `"@/*"` may look like the start of
 * a comment.
 */
function parseWithComments(text: string): unknown {
  const bare = text.replace(/"(?:\\.|[^"\\])*"|\/\/.*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith('"') ? part : '',
  )
  return JSON.parse(
    bare.replace(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, (part) => part.replace(/^,$/, '')),
  )
}

function aliasOf(pattern: string, targets: readonly string[], base: string): Alias[] {
  const isThere = (target: string) => existsSync(path.resolve(base, target.replace(/\*.*$/, '')))
  const target = targets.find(isThere) ?? targets[0]
  if (target === undefined) return []
  const [before = '', after] = pattern.split('*')
  const replacement = path.resolve(base, target.replace('*', '$1'))
  const find =
    after === undefined
      ? new RegExp(`^${escapeRegExp(before)}$`)
      : new RegExp(`^${escapeRegExp(before)}(.*)${escapeRegExp(after)}$`)
  return [{ find, replacement }]
}

/** Returns aliases for everything in the base folder, except for names of installed packages. */
function entriesOf(base: string, root: string): Alias[] {
  const names = readdirSync(base, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .map((entry) => (entry.isDirectory() ? entry.name : path.parse(entry.name).name))
    .filter((name) => !existsSync(path.join(root, 'node_modules', name)))
  return [...new Set(names)].map((name) => ({
    find: new RegExp(`^${escapeRegExp(name)}(?=/|$)`),
    replacement: path.join(base, name),
  }))
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.+^$()[\]{}|\\?]/g, '\\$&')
}
