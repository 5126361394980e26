import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { normalizePath, type Plugin, parseSync, Visitor } from 'vite'
import { findUpwards } from '../internals/stableNames.ts'
import { isNativePackage, type PackageManifest } from './nativePackages.ts'

export type NamedPackages = {
  readonly plugin: Plugin
  /** @returns folders of packages that the app's code mentions but that aren't in a bundle */
  folders(): string[]
}

/**
 * Finds dependencies that the app's code mentions only in a string, as `pino.transport({ target:
 * 'pino-pretty' })` does. The bundler can't find them, because nothing imports them.
 */
export function createNamedPackages(): NamedPackages {
  const dependencies = new Map<string, readonly string[]>()
  const named = new Set<string>()
  const bundled = new Set<string>()
  /** Bundled files of the app, and of packages that `node_modules` only links to. */
  const files = new Set<string>()
  const dependenciesOf = (folder: string): readonly string[] => {
    const cached = dependencies.get(folder)
    if (cached !== undefined) return cached
    const names = declaredDependencies(folder)
    dependencies.set(folder, names)
    return names
  }
  return {
    plugin: {
      name: 'waymark:named-packages',
      apply: 'build',
      applyToEnvironment: ({ name }) => name === 'rsc' || name === 'ssr',
      transform: {
        filter: { id: { include: /\.[cm]?[jt]sx?(?:$|\?)/, exclude: [/\/node_modules\//, /^\0/] } },
        handler(code, id) {
          const file = normalizePath(id.replace(/\?.*$/, ''))
          const folder = path.posix.dirname(file)
          const names = dependenciesOf(folder).filter(
            (name) => code.includes(`'${name}'`) || code.includes(`"${name}"`),
          )
          if (names.length === 0) return
          const texts = namedTexts(code, file)
          for (const name of names) {
            const manifest = texts.has(name) && packageManifest(folder, name)
            if (manifest) named.add(manifest)
          }
        },
      },
      generateBundle() {
        for (const id of this.getModuleIds()) {
          const file = normalizePath(id)
          const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []
          if (folder) bundled.add(folder)
          else files.add(file)
        }
      },
    },
    folders: () =>
      [...named]
        .map((manifest) => normalizePath(path.dirname(manifest)))
        .filter((folder) => {
          const source = normalizePath(realpathSync(folder))
          const isBundled = [...files].some((file) => file.startsWith(`${source}/`))
          return !isBundled && !bundled.has(folder) && !bundled.has(source)
        }),
  }
}

/** Reads the dependencies in the nearest package.json that has any. */
function declaredDependencies(folder: string): readonly string[] {
  const file = findUpwards(folder, 'package.json')
  if (file === null) return []
  const { dependencies, optionalDependencies }: PackageManifest = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  const parent = path.dirname(path.dirname(file))
  return names.length > 0 || parent === path.dirname(file) ? names : declaredDependencies(parent)
}

/**
 * Finds string literals, except the sources of imports.
 *
 * @param code JavaScript without types
 */
export function namedTexts(code: string, file: string): ReadonlySet<string> {
  const texts = new Set<string>()
  const sources = new Set<number>()
  const { program } = parseSync(file, code, { lang: 'jsx' })
  new Visitor({
    ImportDeclaration({ source }) {
      sources.add(source.start)
    },
    ImportExpression({ source }) {
      sources.add(source.start)
    },
    ExportAllDeclaration({ source }) {
      sources.add(source.start)
    },
    ExportNamedDeclaration({ source }) {
      if (source) sources.add(source.start)
    },
    CallExpression({ callee, arguments: [source] }) {
      if (callee.type === 'Identifier' && callee.name === 'require' && source) {
        sources.add(source.start)
      }
    },
    Literal({ value, start }) {
      if (typeof value === 'string' && !sources.has(start)) texts.add(value)
    },
  }).visit(program)
  return texts
}

/**
 * @returns the path of the package's manifest, or `null` if it isn't installed or contains native
 *   code
 */
function packageManifest(folder: string, name: string): string | null {
  const manifest = findUpwards(folder, `node_modules/${name}/package.json`)
  if (manifest === null) return null
  return isNativePackage(name, JSON.parse(readFileSync(manifest, 'utf8'))) ? null : manifest
}
