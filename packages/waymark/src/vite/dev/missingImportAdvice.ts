import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { normalizePath } from 'vite'
import { pathFrom } from '../../journal/filePaths.ts'
import { packageHints } from '../../node/packageHints.ts'
import { installCommand } from '../../shared/installCommand.ts'
import { tryOrUndefined } from '../../shared/neverThrows.ts'

export type MissingImport = {
  /** The specifier that can't be resolved. */
  readonly source: string
  /** Absolute path of the file with the import. */
  readonly file: string
  /** Absolute path of the app's folder. */
  readonly root: string
  /** True if an alias of the Vite configuration turns the specifier into a path. */
  readonly isAliased?: boolean
}

/**
 * Returns the end of a sentence that says why an import can't be resolved, and what to do. Only the
 * name of a package leads to advice to install it.
 */
export function missingImportAdvice({ source, file, root, isAliased }: MissingImport): string {
  const [name = ''] = source.split('?', 1)
  if (isAliased || isPath(name)) return correctPath
  if (name.startsWith('#')) return subpathAdvice(name, file)
  if (name.startsWith('node:') || isBuiltin(name.split('/', 1)[0] ?? '')) {
    return "which isn't one of Node's modules. Correct the name."
  }
  if (/^[a-z][a-z\d+.-]*:/i.test(name)) {
    return 'which no plugin provides. Add the plugin to vite.config.ts, or correct the name.'
  }
  const mapped = mappedByTsconfig(name, file, root)
  if (mapped !== null) return mapsTo('tsconfig.json', pathFrom(root, mapped))
  const [packageName] = packageNamePattern.exec(name) ?? []
  if (packageName === undefined) {
    return 'which is neither a file nor the name of a package. Correct the path, or add its alias to "paths" in tsconfig.json.'
  }
  if (findUp(path.dirname(file), path.join('node_modules', packageName)) !== null) {
    return `which the package ${packageName} doesn't export. Correct the path.`
  }
  if (packageName === 'next') return nextAdvice
  const appFile = path.join(root, name)
  if (fileExists(appFile)) {
    const relative = normalizePath(path.relative(path.dirname(file), appFile))
    const correct = relative.startsWith('.') ? relative : `./${relative}`
    return `which is not installed. To import the app's own file, write ${correct}.`
  }
  return `which is not installed. Run ${installCommand(packageName)}, or correct the name.`
}

const correctPath = 'which does not exist. Correct the path.'

const nextAdvice = `which belongs to another framework. Use Waymark's modules instead: Link from 'waymark', hooks from 'waymark/client', cookies and headers from 'waymark/server'. Or run ${installCommand(packageHints.aliases.next)}, which provides modules with the same names.`

// Matches the name of a package at the start of a specifier. An alias such as `@/`, `~/` or `$lib/`
// doesn't match.
const packageNamePattern = /^(?:@[a-z\d-][\w.~-]*\/)?[a-z\d-][\w.~-]*(?=\/|$)/i

function isPath(name: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(name) || name.startsWith('/') || path.isAbsolute(name)
}

function mapsTo(config: string, target: string): string {
  return `which ${config} maps to ${target}, but that file does not exist. Correct the path.`
}

/** @see https://nodejs.org/api/packages.html#subpath-imports */
function subpathAdvice(name: string, file: string): string {
  const manifest = findUp(path.dirname(file), 'package.json')
  const { imports } = (manifest && readJson(manifest)) as { imports?: unknown }
  const target = matchPattern(name, imports)
  return typeof target === 'string'
    ? mapsTo('package.json', target)
    : 'which "imports" in package.json doesn\'t define. Add the name there, or correct it.'
}

type Tsconfig = {
  readonly extends?: unknown
  readonly compilerOptions?: { readonly baseUrl?: unknown; readonly paths?: unknown }
}

/**
 * Returns the path to which `paths` in the nearest tsconfig.json, or in a file that it extends, maps a
 * name. `null` if no pattern matches.
 */
function mappedByTsconfig(name: string, file: string, root: string): string | null {
  let config = findUp(path.dirname(file), 'tsconfig.json', root)
  // Limit the number of files, because files can extend each other in a circle.
  for (let count = 0; config !== null && count < maxTsconfigs; count++) {
    const folder = path.dirname(config)
    const { compilerOptions, extends: base } = readJson(config) as Tsconfig
    if (compilerOptions?.paths !== undefined) {
      const targets = matchPattern(name, compilerOptions.paths)
      const target: unknown = Array.isArray(targets) ? targets[0] : undefined
      const { baseUrl } = compilerOptions
      const from = typeof baseUrl === 'string' ? path.join(folder, baseUrl) : folder
      return typeof target === 'string' ? path.join(from, target) : null
    }
    const next = typeof base === 'string' && base.startsWith('.') ? path.join(folder, base) : null
    config = (next && [next, `${next}.json`].find((each) => existsSync(each))) ?? null
  }
  return null
}

const maxTsconfigs = 8

/** Returns the value of the pattern that matches a name. A star in the value becomes the matched text. */
function matchPattern(name: string, patterns: unknown): unknown {
  if (typeof patterns !== 'object' || patterns === null) return undefined
  for (const [pattern, value] of Object.entries(patterns)) {
    const [start = '', end] = pattern.split('*', 2)
    if (end === undefined) {
      if (name === pattern) return value
      continue
    }
    const isMatch = name.startsWith(start) && name.endsWith(end) && name.length >= pattern.length
    if (isMatch) return withStar(value, name.slice(start.length, name.length - end.length))
  }
  return undefined
}

function withStar(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withStar(each, text))
  return typeof value === 'string' ? value.replaceAll('*', () => text) : value
}

/** Finds a file or folder in a folder or one of its parents. @param last folder in which the search ends */
function findUp(folder: string, name: string, last?: string): string | null {
  const file = path.join(folder, name)
  if (existsSync(file)) return file
  const parent = path.dirname(folder)
  return folder === last || parent === folder ? null : findUp(parent, name, last)
}

function fileExists(file: string): boolean {
  return ['', '.ts', '.tsx', '.js', '.jsx', '.mdx', '.json'].some((end) => existsSync(file + end))
}

/** Reads JSON with comments and trailing commas. @returns an empty object if the file can't be read */
function readJson(file: string): object {
  const parsed: unknown = tryOrUndefined(() => {
    const text = readFileSync(file, 'utf8')
    // Match strings as well, because a string such as "@/*" contains the start of a comment.
    const bare = text.replace(/"(?:\\.|[^"\\])*"|\/\/.*|\/\*[\s\S]*?\*\//g, (part) =>
      part.startsWith('"') ? part : '',
    )
    return JSON.parse(
      bare.replace(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, (part) => (part === ',' ? '' : part)),
    )
  })
  return typeof parsed === 'object' && parsed !== null ? parsed : {}
}
