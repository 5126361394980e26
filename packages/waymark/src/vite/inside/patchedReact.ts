import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { normalizePath, type Plugin, type Rolldown } from 'vite'
import { reactServerDom } from '../config/ownFiles.ts'
import type { PatchReport } from './patchReport.ts'
import {
  applyChanges,
  applyFilePatches,
  type FilePatch,
  lazyInDev,
  type ReactPatch,
  reactPatches,
} from './textPatches.ts'

/** Where the packages of React are. */
export type ReactFolders = Readonly<Record<FilePatch['package'], string | null>>

/**
 * Finds the React of an app.
 * @param root the app's
 */
export function reactFolders(root: string): ReactFolders {
  const folderOf = (importer: string, id: string) => {
    try {
      return normalizePath(realpathSync(path.dirname(createRequire(importer).resolve(id))))
    } catch {
      // The patches of its files are not possible.
      return null
    }
  }
  const app = path.join(root, 'package.json')
  return {
    react: folderOf(app, 'react/package.json'),
    'react-dom': folderOf(app, 'react-dom/package.json'),
    'react-server-dom': folderOf(import.meta.url, `${reactServerDom}/server.node`),
  }
}

/**
 * Changes the files that are installed as a patch does: all of its files, or none.
 * @param texts that patches have changed, by environment and file; gets those of this one
 * @returns `null` when it applies, else why not
 */
export function applyPatch(
  { environment, files, only }: ReactPatch,
  folders: ReactFolders,
  texts = new Map<string, string>(),
) {
  const own = new Map<string, string>()
  for (const each of files) {
    const name = `${each.package}/${each.file}`
    const file = `${folders[each.package]}/${each.file}`
    if (!existsSync(file)) return { state: 'not possible', reason: `there is no ${name}` } as const
    const code = texts.get(`${environment}:${file}`) ?? readFileSync(file, 'utf8')
    if (only && !only.test(code)) return { state: 'not needed' } as const
    const text = applyFilePatches(code, [each])
    if (text === null) return { state: 'not possible', reason: `${name} is another one` } as const
    own.set(`${environment}:${file}`, text)
  }
  for (const [key, text] of own) texts.set(key, text)
  return null
}

/**
 * Applies those of the patches that are possible, where a build bundles React. A build reads the
 * changed files, so that what other plugins do to them comes after.
 */
export function reactPatchesPlugin(report: PatchReport, isOn: () => boolean): Plugin {
  const texts = new Map<string, string>()
  const bundled = new Set<string>()
  return {
    name: 'waymark:react-patches',
    apply: 'build',
    enforce: 'pre',
    configResolved({ root }) {
      const folders = reactFolders(root)
      for (const patch of reactPatches) {
        const obstacle = isOn() ? applyPatch(patch, folders, texts) : ({ state: 'off' } as const)
        const { state = 'applied', ...why } = obstacle ?? {}
        report.record(patch.id, state, 'reason' in why ? why.reason : undefined)
      }
    },
    resolveId: {
      order: 'pre',
      filter: { id: /^react-dom\/server\.bun$/ },
      handler(_source, importer) {
        // React's build for Node writes the same documents.
        const isText = report.stateOf('fizz-text') === 'applied'
        return isText ? null : this.resolve('react-dom/server', importer)
      },
    },
    load: {
      order: 'pre',
      filter: {
        id: /(?:react|react-dom-server|react-server-dom-webpack)[\w.-]*\.production\.js|server\.bun\.js/,
      },
      handler(id) {
        const { name, config } = this.environment
        // plugin-rsc empties the modules while it only reads the app.
        const key = `${name}:${id.replace(/\?.*$/, '')}`
        const code = config.build.write ? texts.get(key) : undefined
        if (code === undefined) return null
        bundled.add(key)
        return { code, map: { mappings: '' } }
      },
    },
    generateBundle() {
      const { name, config } = this.environment
      const { external } = config.resolve
      // An app may leave React out of its bundles.
      if (!config.build.write || external === true || external.length > 0) return
      for (const { id, environment, files } of reactPatches) {
        if (environment !== name || report.stateOf(id) !== 'applied') continue
        const isBundled = files.some(({ file }) =>
          [...bundled].some((key) => key.startsWith(name) && key.endsWith(file)),
        )
        if (!isBundled) report.record(id, 'not possible', 'the build has another React')
      }
    },
  }
}

/** Changes React's development build as `lazy-retries` does that for production. */
export function lazyInDevPlugin(report: PatchReport): Rolldown.Plugin {
  return {
    name: 'waymark:lazy-retries',
    transform: {
      filter: { id: /[\\/]react\.development\.js$/ },
      handler(code) {
        const changed = applyChanges(code, lazyInDev)
        report.record('lazy-retries', changed === null ? 'not possible' : 'applied')
        return changed === null ? null : { code: changed, map: null }
      },
    },
  }
}
