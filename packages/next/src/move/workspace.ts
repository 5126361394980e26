import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isAtLeast, type Overrides, overrideNext, raiseOverrides } from './overrides.ts'
import type { FileChange, Finding, Names, PackageManager, Versions } from './plan.ts'
import { findNextInNx, moveBuildOutputs } from './scripts.ts'

/** The root of the npm, pnpm, Yarn or Bun workspace that an app is in. */
export type Workspace = {
  /** Absolute path. */
  readonly root: string
  /** Path of the root relative to the app, with slashes: `../..`. */
  readonly fromApp: string
  /** Path of the app relative to the root, with slashes: `apps/web`. */
  readonly app: string
}

export const pnpmFile = 'pnpm-workspace.yaml'

/** Package managers, keyed by the names of their lock files. */
const lockFiles: Readonly<Record<string, PackageManager>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
}

/** Files in the root of a workspace that a move or its installation may change. */
export const workspaceFiles = [
  'package.json',
  pnpmFile,
  'turbo.json',
  'nx.json',
  '.npmrc',
  ...Object.keys(lockFiles),
]

/**
 * Finds the workspace that an app is in.
 * @param app absolute path
 * @param repository absolute path of the Git repository. Folders above it aren't searched
 * @returns `null` for an app that is installed alone
 */
export function findWorkspace(app: string, repository: string): Workspace | null {
  if (Object.keys(lockFiles).some((each) => existsSync(path.join(app, each)))) return null
  for (let root = app; root !== repository && root !== path.dirname(root); ) {
    root = path.dirname(root)
    const folder = toSlashes(path.relative(root, app))
    if (memberTest(root)(folder)) {
      return { root, app: folder, fromApp: toSlashes(path.relative(app, root)) }
    }
  }
  return null
}

/** Returns the package manager of a folder, from its lock file or from `packageManager`. */
export function managerOf(folder: string): PackageManager {
  const [lockFile] = Object.keys(lockFiles).filter((each) => existsSync(path.join(folder, each)))
  if (lockFile !== undefined) return lockFiles[lockFile] ?? 'npm'
  const [, name] = /^(npm|pnpm|yarn|bun)@/.exec(namedManager(folder)) ?? []
  return (name as PackageManager | undefined) ?? 'npm'
}

/** Returns the package manager that `package.json` names, such as `pnpm@11.1.2`. */
function namedManager(folder: string): string {
  const { packageManager, devEngines } = readManifest(folder)
  const { name, version } = devEngines?.packageManager ?? {}
  return packageManager ?? (name === undefined ? '' : `${name}@${version ?? ''}`)
}

/**
 * True if pnpm reads the overrides of a folder from `pnpm-workspace.yaml`. pnpm 11 reads them
 * nowhere else, pnpm 10 also from `package.json`, and pnpm 9 only from there.
 * @param installed version of the installed pnpm, used if `package.json` names none
 */
export function hasYamlOverrides(folder: string, installed: string): boolean {
  const [, major] = /^pnpm@\D*(\d+)/.exec(namedManager(folder)) ?? /^(\d+)/.exec(installed) ?? []
  if (Number(major) >= 11) return true
  return /^overrides:\s*$/m.test(readText(path.join(folder, pnpmFile)))
}

type WorkspaceInput = {
  readonly manager: PackageManager
  /** True if `pnpm-workspace.yaml` has the overrides. */
  readonly isYaml: boolean
  readonly versions: Versions
  /** React versions that the move writes into the app; empty if its versions stay. */
  readonly react: Names
  /** The `package.json` files that Git tracks, relative to the workspace's root. */
  readonly manifests: readonly string[]
}

/**
 * Plans the changes in the root of a workspace. Package managers only read overrides there, and
 * packages that the app uses may be installed there, too.
 */
export function planWorkspace(
  workspace: Workspace,
  { manager, isYaml, versions, react, manifests }: WorkspaceInput,
): { readonly changes: readonly FileChange[]; readonly findings: readonly Finding[] } {
  const { root, fromApp } = workspace
  const { waymark } = versions
  const changes: FileChange[] = []
  const findings: Finding[] = []
  const edit = (name: string, change: (text: string) => string) => {
    const file = path.join(root, name)
    if (!existsSync(file)) return
    const before = readFileSync(file, 'utf8')
    changes.push({ file: `${fromApp}/${name}`, before, after: change(before) })
  }
  const { name } = readManifest(path.join(root, workspace.app))
  const forced = manager === 'npm' && name !== undefined ? { [name]: react } : {}
  edit('package.json', (text) =>
    moveRoot(text, {
      versions,
      forced,
      // pnpm adds the peer dependencies of `next` to each member that has `next`. It looks for them
      // in the root, and then in the registry, which doesn't have an unpublished Waymark.
      added: manager === 'pnpm' && waymark.startsWith('file:') ? { waymark } : {},
      manager: isYaml ? null : manager,
    }),
  )
  if (isYaml) edit(pnpmFile, (text) => moveYamlOverrides(text, versions))
  for (const name of ['turbo.json', 'nx.json']) edit(name, (text) => moveBuildOutputs(text, 'add'))
  const nxFile = path.join(root, 'nx.json')
  if (existsSync(nxFile)) {
    findings.push(...findNextInNx(`${fromApp}/nx.json`, readFileSync(nxFile, 'utf8')))
  }
  for (const folder of otherMembers(workspace, manifests)) {
    const isApp = ['app', 'src/app', 'pages', 'src/pages'].some((each) =>
      existsSync(path.join(root, folder, each)),
    )
    findings.push({
      kind: isApp ? 'change' : 'differs',
      file: `${fromApp}/${folder}/package.json`,
      line: 1,
      text: isApp
        ? `it also depends on "next", and the override in the workspace's root replaces "next" for this app, too. Run the command in ${folder} as well.`
        : `it also depends on "next", which is Waymark's package here, too, because of the override in the workspace's root. Imports of next's public modules work as before.`,
    })
  }
  return { changes, findings }
}

/** Ranges by package and specifier: `{ react: { 'catalog:': '^19.0.0' } }`. */
export type Catalogs = Readonly<Record<string, Names>>

/** Reads the catalogs of a workspace, which pnpm, Yarn and Bun keep in different files. */
export function readCatalogs({ root }: Workspace): Catalogs {
  const ranges: Record<string, Record<string, string>> = {}
  const add = (catalog: string, name: string, range: string) => {
    ranges[name] = { ...ranges[name], [catalog]: range }
    // pnpm also calls the unnamed catalog by this name.
    if (catalog === 'catalog:') ranges[name]['catalog:default'] = range
  }
  for (const file of [pnpmFile, '.yarnrc.yml']) {
    for (const [catalog, name, range] of yamlCatalogs(readText(path.join(root, file)))) {
      add(catalog, name, range)
    }
  }
  const manifest = readManifest(root)
  const { workspaces = [] } = manifest
  for (const { catalog = {}, catalogs = {} } of [manifest, workspaces as BunCatalogs]) {
    for (const [name, range] of Object.entries(catalog)) add('catalog:', name, range)
    for (const [key, list] of Object.entries(catalogs)) {
      for (const [name, range] of Object.entries(list)) add(`catalog:${key}`, name, range)
    }
  }
  return ranges
}

/** @returns specifier, package and range of each entry */
function yamlCatalogs(yaml: string): (readonly [string, string, string])[] {
  let section = ''
  let catalog = 'catalog:'
  return yaml.split('\n').flatMap((line) => {
    const [, heading] = /^(\w+):/.exec(line) ?? []
    if (heading !== undefined) {
      section = heading
      catalog = 'catalog:'
    }
    if (section !== 'catalog' && section !== 'catalogs') return []
    const [, name = '', range = ''] =
      /^\s+['"]?([^\s'":]+)['"]?:\s*(?:['"]?([^'"#\s]+)['"]?)?\s*(?:#.*)?$/.exec(line) ?? []
    if (name !== '' && range === '') catalog = `catalog:${name}`
    return name !== '' && range !== '' ? [[catalog, name, range] as const] : []
  })
}

type BunCatalogs = {
  readonly catalog?: Names
  readonly catalogs?: Readonly<Record<string, Names>>
}

type RootManifest = Overrides &
  BunCatalogs & {
    readonly name?: string
    readonly packageManager?: string
    readonly devEngines?: {
      readonly packageManager?: { readonly name?: string; readonly version?: string }
    }
    readonly workspaces?: readonly string[] | { readonly packages?: readonly string[] }
    readonly dependencies?: Names
    readonly devDependencies?: Names
  }

type RootMove = {
  readonly versions: Versions
  /** Overrides for the dependencies of single members, by the member's name. */
  readonly forced: Readonly<Record<string, Names>>
  /** Packages to add to the root, with their versions. */
  readonly added: Names
  /** `null` if `pnpm-workspace.yaml` has the overrides. */
  readonly manager: PackageManager | null
}

function moveRoot(text: string, { versions, forced, added, manager }: RootMove): string {
  const manifest = JSON.parse(text) as RootManifest
  const { dependencies, devDependencies } = manifest
  const changed: Names = { ...oldPins(manifest, versions), next: versions.next }
  // npm refuses an override that differs from the root's own dependency.
  const raise = (list: Names) =>
    Object.fromEntries(
      Object.entries(list).map(([name, version]) => [name, changed[name] ?? version]),
    )
  const raised = { ...manifest, ...raiseOverrides(manifest, changed) }
  const overriding = { ...raised, overrides: withForced(raised.overrides, forced) }
  const moved = {
    ...raised,
    ...(dependencies && { dependencies: raise(dependencies) }),
    ...((devDependencies || 'waymark' in added) && {
      devDependencies: { ...raise(devDependencies ?? {}), ...added },
    }),
    ...(manager && overrideNext(overriding, manager, versions.next)),
  }
  const indent = /^(\s+)"/m.exec(text)?.[1]?.replace(/^\n+/, '') ?? '  '
  return `${JSON.stringify(moved, null, indent)}\n`
}

/**
 * Adds overrides for single members. npm refuses packages whose peer dependency is an older React,
 * but an override for the whole workspace would also change the React of other members.
 */
function withForced(overrides: Overrides['overrides'], forced: RootMove['forced']) {
  const merged: Record<string, unknown> = { ...overrides }
  for (const [member, names] of Object.entries(forced)) {
    const existing = merged[member] ?? {}
    const isEmpty = Object.keys(names).length === 0
    if (!isEmpty && typeof existing === 'object') merged[member] = { ...names, ...existing }
  }
  return merged
}

/**
 * Returns the new version for each React package that the root pins to an old version, and for an
 * override of Vite. Packages in the root may need a different Vite from the app, so only an override
 * counts.
 */
function oldPins(
  { dependencies, devDependencies, overrides, resolutions, pnpm }: RootManifest,
  { react, vite }: Versions,
): Names {
  const pins = [overrides, resolutions, pnpm?.overrides]
  const isOld = (name: string, wanted: string, lists: typeof pins) =>
    lists.some((list) => {
      const range = list?.[name] ?? list?.[`**/${name}`]
      return typeof range === 'string' && /^[\^~>=\s]*\d/.test(range) && !isAtLeast(range, wanted)
    })
  const reacts = ['react', 'react-dom'].filter((name) =>
    isOld(name, react, [dependencies, devDependencies, ...pins]),
  )
  return {
    ...Object.fromEntries(reacts.map((name) => [name, react] as const)),
    ...(isOld('vite', vite, pins) && { vite }),
  }
}

/** @param text of `pnpm-workspace.yaml`; empty if the file doesn't exist */
export function moveYamlOverrides(text: string, { next, react, vite }: Versions): string {
  if (!/^overrides:\s*$/m.test(text)) {
    const before = text === '' ? '' : text.replace(/\n*$/, '\n')
    return `${before}overrides:\n  next: '${next}'\n`
  }
  return text.replace(/^overrides:[^\n]*\n(?:(?:[ \t]+[^\n]*)?(?:\n|$))*/m, (section) => {
    const [heading = '', ...lines] = section.split('\n')
    const indent = /^ +/.exec(lines[0] ?? '')?.[0] ?? '  '
    const others = lines.filter((line) => !/^ +['"]?next['"]?:/.test(line))
    const raised = others.map((line) =>
      line.replace(pinnedEntry, (entry, start: string, name: string, range: string) => {
        const wanted = name === 'vite' ? vite : react
        const isUnchanged = isAtLeast(range, wanted) || /^(?:\$|catalog:|npm:)/.test(range)
        return isUnchanged ? entry : `${start}${wanted}`
      }),
    )
    return [heading, `${indent}next: '${next}'`, ...raised].join('\n')
  })
}

const pinnedEntry = /^( +['"]?(react|react-dom|vite)['"]?:\s*)['"]?([^'"\s]+)['"]?/

/** Returns the folders of the workspace's other members that depend on `next`. */
function otherMembers({ root, app }: Workspace, manifests: readonly string[]): string[] {
  const isMember = memberTest(root)
  return manifests.map(path.posix.dirname).filter((folder) => {
    if (folder === app || !isMember(folder)) return false
    const { dependencies, devDependencies } = readManifest(path.join(root, folder))
    const next = dependencies?.next ?? devDependencies?.next
    return next !== undefined && !next.includes('@waymark/next')
  })
}

/**
 * Returns the version of a package that other members of a workspace have, because linters of
 * workspaces refuse a second version. `null` if none has the package.
 */
export function versionInMembers(
  { root }: Workspace,
  manifests: readonly string[],
  name: string,
): string | null {
  const isMember = memberTest(root)
  for (const folder of manifests.map(path.posix.dirname).filter(isMember)) {
    const { dependencies, devDependencies } = readManifest(path.join(root, folder))
    const version = dependencies?.[name] ?? devDependencies?.[name]
    if (version !== undefined) return version
  }
  return null
}

/** Returns a function that is true for the folders of a workspace's members. */
function memberTest(root: string): (folder: string) => boolean {
  const { workspaces = [] } = readManifest(root)
  const listed = 'packages' in workspaces ? (workspaces.packages ?? []) : workspaces
  const patterns = [
    ...(listed as readonly string[]),
    ...yamlPatterns(readText(path.join(root, pnpmFile))),
  ]
  const matches = (pattern: string, folder: string) => globPattern(pattern).test(folder)
  const included = patterns.filter((pattern) => !pattern.startsWith('!'))
  const excluded = patterns.filter((pattern) => pattern.startsWith('!'))
  return (folder) =>
    included.some((pattern) => matches(pattern, folder)) &&
    !excluded.some((pattern) => matches(pattern.slice(1), folder))
}

function yamlPatterns(yaml: string): string[] {
  const [, list = ''] = /^packages:\s*\n((?:\s*#.*\n|\s+-.*\n?|-.*\n?)*)/m.exec(yaml) ?? []
  return [...list.matchAll(/^\s*-\s*['"]?([^'"#\s]+)/gm)].map(([, pattern = '']) => pattern)
}

/** Compiles a pattern such as `apps/*` or `packages/**`. */
function globPattern(pattern: string): RegExp {
  const source = pattern
    .replace(/^\.\//, '')
    .replace(/\/$/, '')
    .replace(/[.+^$()[\]{}|\\]/g, '\\$&')
    .replace(/\*\*?/g, (stars) => (stars === '**' ? '.*' : '[^/]*'))
  return new RegExp(`^${source}$`)
}

function readManifest(folder: string): RootManifest {
  const text = readText(path.join(folder, 'package.json'))
  return text === '' ? {} : JSON.parse(text)
}

/** @returns an empty string if the file doesn't exist */
function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function toSlashes(file: string): string {
  return file.split(path.sep).join('/')
}
