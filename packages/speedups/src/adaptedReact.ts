import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { type Adaptation, type AdaptedFile, adaptText } from './adaptations.ts'

/** Folders of React's packages; `null` for a package that isn't found. */
export type ReactFolders = Readonly<Record<AdaptedFile['package'], string | null>>

/** Adapted code by environment and absolute path, such as `rsc:/app/node_modules/…`. */
type AdaptedTexts = Map<string, string>

/**
 * Finds the packages that a build bundles. `react-server-dom-webpack` is part of plugin-rsc, a dependency
 * of `waymark`.
 */
export function findReact(root: string): ReactFolders {
  const app = path.join(root, 'package.json')
  const waymark = resolveFrom(app, 'waymark/package.json')
  const runtime = '@vitejs/plugin-rsc/vendor/react-server-dom/server.node'
  return {
    'react-dom': folderOf(resolveFrom(app, 'react-dom/package.json')),
    'react-server-dom': folderOf(waymark && resolveFrom(realpathSync(waymark), runtime)),
  }
}

function resolveFrom(importer: string, specifier: string): string | null {
  try {
    return createRequire(importer).resolve(specifier)
  } catch {
    return null
  }
}

function folderOf(file: string | null): string | null {
  return file === null ? null : normalizePath(realpathSync(path.dirname(file)))
}

/**
 * Tries to apply an adaptation to the installed files.
 * @param texts receives the adapted files if all of them fit
 * @returns the reason if the adaptation doesn't fit; `null` if it fits or this React version doesn't need it
 */
export function tryAdaptation(
  { environment, files, neededFor }: Adaptation,
  folders: ReactFolders,
  texts: AdaptedTexts,
): string | null {
  const adapted: AdaptedTexts = new Map()
  for (const each of files) {
    const name = `${each.package}/${each.file}`
    const file = `${folders[each.package]}/${each.file}`
    if (!existsSync(file)) return `${name} does not exist`
    const key = `${environment}:${file}`
    const code = texts.get(key) ?? readFileSync(file, 'utf8')
    if (neededFor && !neededFor.test(code)) return null
    const text = adaptText(code, each)
    if (text === null) return `${name} doesn't have the expected code`
    adapted.set(key, text)
  }
  for (const [key, text] of adapted) texts.set(key, text)
  return null
}

/**
 * Replaces React's files with the adapted ones when the bundler loads them.
 * @param fitting receives the names of the adaptations that fit
 */
export function adaptedReactPlugin(
  adaptations: readonly Adaptation[],
  fitting: Set<string>,
): Plugin {
  const texts: AdaptedTexts = new Map()
  const bundled = new Set<string>()
  return {
    name: 'waymark-speedups:react',
    apply: 'build',
    enforce: 'pre',
    configResolved({ root, logger }) {
      // Start anew, because a process may resolve a configuration with the same plugins several times.
      texts.clear()
      bundled.clear()
      fitting.clear()
      const folders = findReact(root)
      for (const adaptation of adaptations) {
        const reason = tryAdaptation(adaptation, folders, texts)
        if (reason === null) fitting.add(adaptation.name)
        else logger.warn(describeSkipped(adaptation, reason))
      }
    },
    resolveId: {
      order: 'pre',
      filter: { id: /^react-dom\/server\.bun$/ },
      handler(_source, importer) {
        const { external } = this.environment.config.resolve
        const isBundled = external !== true && !external.includes('react-dom')
        return isBundled && fitting.has('html') ? null : this.resolve('react-dom/server', importer)
      },
    },
    load: {
      order: 'pre',
      filter: {
        id: /(?:react-dom-server|react-server-dom-webpack)[\w.-]*\.production\.js|server\.bun\.js/,
      },
      handler(id) {
        const { name, config } = this.environment
        // Skip plugin-rsc's scan before the build, which reduces all modules to their imports.
        if (!config.build.write) return null
        const file = id.replace(/\?.*$/, '')
        const code = texts.get(`${name}:${file}`)
        if (code === undefined) return null
        bundled.add(file)
        return { code, map: { mappings: '' } }
      },
    },
    generateBundle() {
      const { name, config, logger } = this.environment
      const { external } = config.resolve
      // Don't check the bundles if the app may have excluded React from them.
      if (!config.build.write || external === true || external.length > 0) return
      for (const adaptation of adaptations) {
        if (adaptation.environment !== name || !fitting.has(adaptation.name)) continue
        const isBundled = adaptation.files.some(({ file }) =>
          [...bundled].some((each) => each.endsWith(file)),
        )
        if (!isBundled)
          logger.warn(describeSkipped(adaptation, 'the build bundles a different React'))
      }
    },
  }
}

export function describeSkipped({ name, loss }: Adaptation, reason: string): string {
  return `@waymark/speedups skipped "${name}": ${reason}. ${loss} Nothing else changes.`
}
