import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { normalizePath, type Plugin, type Rolldown } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
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

type Decided = { readonly patch: ReactPatch; readonly file: FilePatch }

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
 * Decides about a patch by the files that are installed: it applies to all of them, or to none.
 * @returns `null` when it applies, else why not
 */
export function findObstacle({ files, only }: ReactPatch, folders: ReactFolders) {
  for (const { package: name, file, changes } of files) {
    const installed = `${folders[name]}/${file}`
    if (folders[name] === null || !existsSync(installed)) {
      return { state: 'not possible', reason: `there is no ${name}/${file}` } as const
    }
    const code = readFileSync(installed, 'utf8')
    if (only && !only.test(code)) return { state: 'not needed' } as const
    if (applyChanges(code, changes) === null) {
      return { state: 'not possible', reason: `${name}/${file} is another one` } as const
    }
  }
  return null
}

/** Applies those of the patches that are possible, where a build bundles React. */
export function reactPatchesPlugin(report: PatchReport, isOn: () => boolean): Plugin {
  const byFile = new Map<string, Decided[]>()
  const bundled = new Set<ReactPatch>()
  const decide = (folders: ReactFolders) => {
    for (const patch of reactPatches) {
      const obstacle = isOn() ? findObstacle(patch, folders) : ({ state: 'off' } as const)
      const { state = 'applied', ...why } = obstacle ?? {}
      report.record(patch.id, state, 'reason' in why ? why.reason : undefined)
      if (state !== 'applied') continue
      for (const file of patch.files) {
        const id = `${patch.environment}:${folders[file.package]}/${file.file}`
        byFile.set(id, [...(byFile.get(id) ?? []), { patch, file }])
      }
    }
  }
  return {
    name: 'waymark:react-patches',
    apply: 'build',
    enforce: 'pre',
    configResolved({ root }) {
      decide(reactFolders(root))
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
    transform: {
      filter: { id: /(?:react|react-dom-server|react-server-dom-webpack)[\w.-]*\.production\.js/ },
      handler(code, id) {
        const { name, config } = this.environment
        // plugin-rsc has emptied the modules while it only reads the app.
        const decided = byFile.get(`${name}:${id.replace(/\?.*$/, '')}`)
        if (!config.build.write || !decided) return null
        const files = decided.map(({ file }) => file)
        const text = applyFilePatches(code, files)
        // The decision holds for several files: this one can't be left as it is.
        if (text === null) throw frameworkError('REACT_CHANGED_BEFORE', { file: id })
        for (const { patch } of decided) bundled.add(patch)
        return { code: text, map: { mappings: '' } }
      },
    },
    generateBundle() {
      const { name, config } = this.environment
      const { external } = config.resolve
      // An app may leave React out of its bundles.
      if (!config.build.write || external === true || external.length > 0) return
      const lost = reactPatches.filter((each) => each.environment === name && !bundled.has(each))
      for (const { id } of lost) {
        if (report.stateOf(id) === 'applied') report.record(id, 'not possible', otherCopy)
      }
    },
  }
}

const otherCopy = 'the build has another copy of React'

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
