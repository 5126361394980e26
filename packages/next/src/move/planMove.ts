import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { withoutClientOptions } from '../segmentPlugin.ts'
import { olderPeers } from './lockFile.ts'
import { moveManifest } from './manifest.ts'
import { writeNativeImports } from './nativeImports.ts'
import type {
  FileChange,
  Finding,
  MoveMode,
  MovePlan,
  PackageManager,
  SourceFacts,
  Versions,
} from './plan.ts'
import { readSource } from './readSource.ts'
import { findNextInNx, moveBuildOutputs, moveProject } from './scripts.ts'
import { insertAll } from './syncRequests.ts'
import {
  moveYamlOverrides,
  planWorkspace,
  pnpmFile,
  readCatalogs,
  versionInMembers,
  type Workspace,
} from './workspace.ts'

export type MoveInput = {
  /** Absolute path of the folder that contains `package.json`. */
  readonly root: string
  /** Files of the app that Git tracks, relative to `root`, with slashes. */
  readonly files: readonly string[]
  readonly mode: MoveMode
  readonly manager: PackageManager
  /** True if pnpm reads overrides from `pnpm-workspace.yaml`. */
  readonly isYaml: boolean
  /** `null` if the app is installed alone. */
  readonly workspace: Workspace | null
  /** The `package.json` files that Git tracks, relative to the workspace's root. */
  readonly manifests: readonly string[]
  readonly versions: Versions
  /** The modules of `next` that `@waymark/next` has. */
  readonly modules: ReadonlySet<string>
  /**
   * Finds the package and version for a Google Fonts family; `null` if no package has the family.
   */
  readonly findFont: (family: string) => Promise<readonly [name: string, version: string] | null>
}

/**
 * Plans an app's move, without changing any file.
 * @throws Error if the folder has no app, or only an app with the Pages Router
 */
export async function planMove(input: MoveInput): Promise<MovePlan> {
  const { files, mode } = input
  refuseOtherApps(files)
  const readText = async (file: string) => readFile(path.join(input.root, file), 'utf8')
  const changes: FileChange[] = []
  const findings: Finding[] = []
  const sources = new Map<string, SourceFacts>()
  for (const file of files.filter((each) => /^(?!\.yarn\/).*\.[cm]?[jt]sx?$/.test(each))) {
    const code = await readText(file)
    const original = readSource(file, code)
    const awaiting = original === null ? code : insertAll(code, original.insertions)
    // Insertions don't add lines, so findings have the original line numbers.
    const read = awaiting === code ? original : readSource(file, awaiting)
    const facts = original && read && { ...read, findings: original.findings }
    if (facts === null) {
      findings.push({
        kind: 'change',
        file,
        line: 1,
        text: "it can't be parsed, so nothing in it was changed.",
      })
      continue
    }
    sources.set(file, facts)
    findings.push(...facts.findings, ...missingModules(file, facts, input.modules))
    findings.push(...clientOptions(file, code))
    let after = mode === 'native' ? writeNativeImports(awaiting, facts) : awaiting
    const proxy = proxyOf(file)
    if (proxy !== null) after = nameProxy(after)
    if (proxy !== null) changes.push({ file, before: code, after: null })
    if (proxy !== null) changes.push({ file: proxy, before: null, after })
    else if (after !== code) changes.push({ file, before: code, after })
  }
  findings.push(...pagesRouterFiles(files))
  for (const file of ['project.json', 'nx.json'].filter((each) => files.includes(each))) {
    findings.push(...findNextInNx(file, moveProject(await readText(file))))
  }
  const { added, missing } = await packagesOf(sources, input.findFont)
  if (files.some((file) => file.endsWith('.mdx'))) added['@mdx-js/rollup'] = '^3.1.1'
  const config = files.find((file) => /^next\.config\.[cm]?[jt]s$/.test(file))
  if (config && /\bmdxType\b\W+gfm\b/.test(await readText(config))) added['remark-gfm'] = '^4.0.1'
  if (input.workspace) {
    for (const [name, version] of Object.entries(added)) {
      added[name] = versionInMembers(input.workspace, input.manifests, name) ?? version
    }
  }
  const manifest = await readText('package.json')
  const moved = moveManifest(manifest, input.versions, {
    added,
    manager: input.workspace || input.isYaml ? null : input.manager,
    catalogs: input.workspace ? readCatalogs(input.workspace) : {},
    olderVitePeers: files.includes('package-lock.json')
      ? olderPeers(await readText('package-lock.json'), 'vite', majorOf(input.versions.vite))
      : [],
  })
  changes.push({ file: 'package.json', before: manifest, after: moved.text })
  changes.push(...(await configFiles(files, readText)))
  const root = input.workspace
    ? planWorkspace(input.workspace, { ...input, react: moved.react })
    : { changes: [], findings: [] }
  if (!input.workspace && input.isYaml) {
    const before = files.includes(pnpmFile) ? await readText(pnpmFile) : null
    const after = moveYamlOverrides(before ?? '', input.versions)
    changes.push({ file: pnpmFile, before, after })
  }
  changes.push(...root.changes)
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    findings: [...moved.findings, ...root.findings, ...missing, ...findings],
    modules: countModules(sources),
  }
}

function majorOf(range: string): number {
  return Number(/\d+/.exec(range)?.[0])
}

function refuseOtherApps(files: readonly string[]): void {
  const has = (pattern: RegExp) => files.some((file) => pattern.test(file))
  if (!files.includes('package.json')) {
    throw new Error(
      "There is no package.json here that Git tracks. Run the command in the app's folder.",
    )
  }
  if (has(/^(?:src\/)?app\/.*?(?:page|route|layout)\.(?:[jt]sx?|mdx)$/)) return
  throw new Error(
    has(/^(?:src\/)?pages\//)
      ? 'This app has pages/ but no app/. Waymark only supports the App Router, so move the pages to app/ first.'
      : 'There is no page in app/ or src/app/. Run the command in the folder of an App Router app.',
  )
}

function missingModules(
  file: string,
  { imports }: SourceFacts,
  modules: ReadonlySet<string>,
): Finding[] {
  return imports.flatMap(({ module, line }): Finding[] =>
    modules.has(module)
      ? []
      : [{ kind: 'change', file, line, text: `${module} doesn't exist in Waymark.` }],
  )
}

function clientOptions(file: string, code: string): Finding[] {
  if (!/^(?:src\/)?app\/(?:.*\/)?(?:page|layout|template|default)\.[cm]?[jt]sx?$/.test(file))
    return []
  return withoutClientOptions(file, code).notes.map((note) => {
    const [, line, text = note] = /^(\d+): (.*)$/s.exec(note) ?? []
    return { kind: 'differs', file, line: Number(line), text }
  })
}

/**
 * Returns the path of `proxy.ts` for a `middleware.ts` in the same folder; `null` for other files.
 */
function proxyOf(file: string): string | null {
  const [, folder, ending] = /^(src\/)?middleware\.([cm]?[jt]s)$/.exec(file) ?? []
  return ending === undefined ? null : `${folder ?? ''}proxy.${ending}`
}

function nameProxy(code: string): string {
  return code
    .replace(/(\bexport\s+(?:async\s+)?function\s+|\bexport\s+const\s+)middleware\b/g, '$1proxy')
    .replace(/(\bexport\s*\{[^}]*\bas\s+)middleware\b/g, '$1proxy')
}

function pagesRouterFiles(files: readonly string[]): Finding[] {
  return files
    .filter((file) => /^(?:src\/)?pages\/.*\.[jt]sx?$/.test(file))
    .map((file) => ({
      kind: 'change',
      file,
      line: 1,
      text: 'pages/ is not served. Move pages to app/, and API routes to route files.',
    }))
}

async function packagesOf(
  sources: ReadonlyMap<string, SourceFacts>,
  findFont: MoveInput['findFont'],
): Promise<{ added: Record<string, string>; missing: Finding[] }> {
  const added: Record<string, string> = {}
  const missing: Finding[] = []
  for (const [file, { imports }] of sources) {
    for (const { module, names, line } of imports) {
      if (module !== 'next/font/google') continue
      for (const { name, isType } of names) {
        if (isType) continue
        const font = await findFont(name)
        if (font) added[font[0]] = font[1]
        else {
          const text = `no Fontsource package was found for ${name}. Install one, or use next/font/local.`
          missing.push({ kind: 'change', file, line, text })
        }
      }
    }
  }
  return { added, missing }
}

const viteConfig = `import { next } from 'next/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [next()] })
`

/** Returns the changes to configuration files: new files, and files that refer to Next's files. */
async function configFiles(
  files: readonly string[],
  readText: (file: string) => Promise<string>,
): Promise<FileChange[]> {
  const changes: FileChange[] = []
  const edit = async (file: string, change: (text: string) => string) => {
    if (!files.includes(file)) return
    const before = await readText(file)
    changes.push({ file, before, after: change(before) })
  }
  if (!files.some((file) => /^vite\.config\.[cm]?[jt]s$/.test(file))) {
    // With the extension `.mts`, the file is an ES module whatever the package's "type" is.
    changes.push({ file: 'vite.config.mts', before: null, after: viteConfig })
  }
  await edit('tsconfig.json', (text) =>
    text
      .replace(/\{\s*"name":\s*"next"\s*\}\s*,?\s*/, '')
      .replace(/,\s*"plugins":\s*\[\s*\](?=\s*\})|\s*"plugins":\s*\[\s*\]\s*,/, ''),
  )
  await edit('turbo.json', (text) => moveBuildOutputs(text, 'replace'))
  for (const file of ['project.json', 'nx.json']) await edit(file, moveProject)
  // Only Next's build writes the route types, so remove references to them.
  await edit('next-env.d.ts', (text) => text.replace(/^.*\.next\/.*\n/gm, ''))
  if (files.includes('.gitignore')) {
    await edit(
      '.gitignore',
      (text) => `${text.replace(/\n*$/, '\n')}\n.waymark\nwaymark-routes.d.ts\n`,
    )
  } else {
    changes.push({
      file: '.gitignore',
      before: null,
      after: 'node_modules\n.waymark\nwaymark-routes.d.ts\n',
    })
  }
  return changes
}

function countModules(sources: ReadonlyMap<string, SourceFacts>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { imports } of sources.values()) {
    for (const module of new Set(imports.map((each) => each.module))) {
      counts.set(module, (counts.get(module) ?? 0) + 1)
    }
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}
