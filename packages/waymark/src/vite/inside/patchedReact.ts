import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { findPackage } from '../../node/appPackages.ts'
import { reactServerDom } from '../config/ownFiles.ts'
import {
  applyFilePatches,
  type FilePatch,
  type PatchId,
  type ReactPatch,
  reactPatches,
} from './textPatches.ts'

/**
 * What became of a change to another package's text: `not needed` where the package does it by itself,
 * `not possible` where the text is another one, `off` by the option `patches`.
 */
export type PatchState = 'applied' | 'not needed' | 'not possible' | 'off'

/** What an app goes without while a patch is not applied. All else works. */
const losses: Readonly<Record<PatchId, string>> = {
  'row-writer': 'Rendering takes more processor time',
  'render-lifetime': 'Rendering takes more processor time',
  'fizz-text': 'Documents take more processor time',
  'dom-internals': 'Pages load more JavaScript',
  'action-encoder': 'Pages load more JavaScript',
  'preload-helper': 'Import() of the app has no deadline and no retries',
  'browser-runtime': 'Pages load more JavaScript',
  'node-react': 'The first page of the dev server takes longer, and more memory',
  'dev-references': 'The dev server takes more memory with each edit',
}

export type PatchReport = ReturnType<typeof createPatchReport>

/** Collects what became of each patch, and prints once what is not possible. */
export function createPatchReport(print: (line: string) => void, isOn: () => boolean) {
  const states = new Map<PatchId, PatchState>()
  return {
    isOn,
    record(id: PatchId, state: PatchState, reason = 'the text is another one'): void {
      // One file without it counts, whatever became of the others.
      if (states.get(id) === 'not possible') return
      states.set(id, state)
      if (state === 'not possible')
        print(`Waymark does without ${id}: ${reason}. ${losses[id]}; all else works.`)
    },
    stateOf: (id: PatchId) => states.get(id),
    states: (): Readonly<Record<string, PatchState>> =>
      Object.fromEntries([...states].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

export type ReactFolders = Readonly<Record<FilePatch['package'], string | null>>

export function reactFolders(root: string): ReactFolders {
  const folderOf = (importer: string, id: string) => {
    const file = findPackage(id, importer)
    return file === null ? null : normalizePath(realpathSync(path.dirname(file)))
  }
  return {
    react: folderOf(root, 'react/package.json'),
    'react-dom': folderOf(root, 'react-dom/package.json'),
    'react-server-dom': folderOf(import.meta.dirname, `${reactServerDom}/server.node`),
  }
}

/**
 * Changes the installed files as a patch does: all of its files, or none.
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

/** Applies the patches that are possible, where a build bundles React. */
export function reactPatchesPlugin(report: PatchReport): Plugin {
  const texts = new Map<string, string>()
  const bundled = new Set<string>()
  return {
    name: 'waymark:react-patches',
    apply: 'build',
    enforce: 'pre',
    configResolved({ root }) {
      const folders = reactFolders(root)
      for (const patch of reactPatches) {
        const obstacle = report.isOn()
          ? applyPatch(patch, folders, texts)
          : ({ state: 'off' } as const)
        const { state = 'applied', ...why } = obstacle ?? {}
        report.record(patch.id, state, 'reason' in why ? why.reason : undefined)
      }
    },
    resolveId: {
      order: 'pre',
      filter: { id: /^react-dom\/server\.bun$/ },
      handler(_source, importer) {
        const { external } = this.environment.config.resolve
        const isBundled = external !== true && !external.includes('react-dom')
        const isText = isBundled && report.stateOf('fizz-text') === 'applied'
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
