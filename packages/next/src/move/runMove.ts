import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../readConfig.ts'
import { unlockUpdated } from './lockFile.ts'
import type { FileChange, Finding, MoveMode, MovePlan, PackageManager, Versions } from './plan.ts'
import { planMove } from './planMove.ts'
import { lineCounter } from './readSource.ts'
import {
  findWorkspace,
  hasYamlOverrides,
  managerOf,
  type Workspace,
  workspaceFiles,
} from './workspace.ts'

/** The folder in which the command runs, and a function that prints its output. */
export type MoveHost = { readonly cwd: string; readonly print: (text: string) => void }

const help = `Usage: npx @waymark/next move [options]

Moves an App Router app to Waymark: package.json, vite.config.ts, the proxy, fonts, types. Then
installs packages, builds the app, and lists code that behaves differently or must change.

  --mode alias     Keep the imports of next. This is the default.
  --mode native    Import names from Waymark if it has them with the same meaning.
  --dry-run        Show the differences without changing anything.
  --no-build       Don't install packages, and don't build.
  --no-commit      Leave the changes uncommitted.
  --next, --waymark <version>   Set the version to write into package.json.

Git must have no uncommitted changes. The move is one commit, which you can undo with "git revert HEAD".`

/**
 * Runs `npx @waymark/next move`.
 * @returns the exit code: 1 if the build fails or the move can't start, 2 for wrong arguments
 */
export async function runMove(args: readonly string[], host: MoveHost): Promise<number> {
  const { print } = host
  const options = readArguments(args)
  if (options === null) {
    print(help)
    return args.includes('--help') ? 0 : 2
  }
  try {
    const repository = findRepository(host.cwd)
    const workspace = findWorkspace(realpathSync(host.cwd), repository)
    const scope = ['.', ...rootFiles(workspace)]
    if (!options.dryRun) refuseUncommitted(host.cwd, scope)
    const files = listFiles(host.cwd)
    const { versions, modules } = await readPackageManifest(options.versions)
    const installRoot = workspace?.root ?? host.cwd
    const manager = managerOf(installRoot)
    const isYaml =
      manager === 'pnpm' &&
      hasYamlOverrides(installRoot, run('pnpm', ['--version'], installRoot).stdout ?? '')
    const plan = await planMove({
      root: host.cwd,
      files,
      mode: options.mode,
      manager,
      isYaml,
      workspace,
      manifests: workspace ? listFiles(workspace.root, ['package.json', '**/package.json']) : [],
      versions,
      modules,
      findFont: async (family) => findFont(family, host.cwd),
    })
    if (options.dryRun) print(await showDifference(plan.changes, workspace?.app ?? ''))
    else await writeChanges(host.cwd, plan.changes)
    const ending =
      options.dryRun || !options.build ? null : installAndBuild(host, installRoot, manager)
    // The configuration's imports fail if the packages aren't installed.
    const allNotes = ending === 'install failed' ? [] : await findConfigNotes(host.cwd, files)
    // If the build succeeded, it could read the configuration. The app's scripts may set variables
    // that the configuration needs.
    const notes = ending === 'built' ? allNotes.filter(({ kind }) => kind !== 'change') : allNotes
    print(describe({ ...plan, findings: [...plan.findings, ...notes] }, ending, manager))
    if (!options.dryRun && options.commit) print(commit(host.cwd, workspace))
    return ending === null || ending === 'built' ? 0 : 1
  } catch (error) {
    print(error instanceof Error ? error.message : String(error))
    return 1
  }
}

type MoveOptions = {
  readonly mode: MoveMode
  readonly dryRun: boolean
  readonly build: boolean
  readonly commit: boolean
  readonly versions: { readonly next?: string | undefined; readonly waymark?: string | undefined }
}

function readArguments(args: readonly string[]): MoveOptions | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        mode: { type: 'string', default: 'alias' },
        'dry-run': { type: 'boolean', default: false },
        build: { type: 'boolean', default: true },
        commit: { type: 'boolean', default: true },
        next: { type: 'string' },
        waymark: { type: 'string' },
      },
    })
    const { mode, build, commit } = values
    if (positionals.join() !== 'move' || (mode !== 'alias' && mode !== 'native')) return null
    const versions = { next: values.next, waymark: values.waymark }
    return { mode, build, commit, dryRun: values['dry-run'], versions }
  } catch {
    return null
  }
}

/** @throws Error if the folder is not in a Git repository */
function findRepository(cwd: string): string {
  const { status, stdout } = run('git', ['rev-parse', '--show-toplevel'], cwd)
  if (status === 0) return path.resolve(stdout.trim())
  throw new Error(
    'This folder is not in a git repository. Run "git init", "git add ." and "git commit" first, so that you can undo the move.',
  )
}

/** Returns the workspace's root files that may change, as paths relative to the app. */
function rootFiles(workspace: Workspace | null): string[] {
  return workspace ? workspaceFiles.map((file) => `${workspace.fromApp}/${file}`) : []
}

/** @throws Error if files in the scope have uncommitted changes */
function refuseUncommitted(cwd: string, scope: readonly string[]): void {
  if (run('git', ['status', '--porcelain', '--', ...scope], cwd).stdout === '') return
  throw new Error('There are uncommitted changes. Commit them, or set them aside with "git stash".')
}

/** @param args of `git ls-files` */
function listFiles(cwd: string, args: readonly string[] = []): string[] {
  return run('git', ['ls-files', '-z', ...args], cwd)
    .stdout.split('\0')
    .filter(Boolean)
}

async function readPackageManifest(requested: MoveOptions['versions']): Promise<{
  versions: Versions
  modules: Set<string>
}> {
  const manifest = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as {
    readonly version: string
    readonly exports: Readonly<Record<string, unknown>>
    readonly peerDependencies: Versions
  }
  const { waymark, vite, react } = manifest.peerDependencies
  return {
    versions: {
      next: requested.next ?? `npm:@waymark/next@^${manifest.version}`,
      waymark: requested.waymark ?? waymark,
      vite,
      react,
    },
    modules: new Set(Object.keys(manifest.exports).map((each) => path.posix.join('next', each))),
  }
}

/** Finds the package for a font. Prefers a variable font, which has all weights. */
function findFont(family: string, cwd: string): readonly [string, string] | null {
  const id = family.replaceAll('_', '-').toLowerCase()
  for (const name of [`@fontsource-variable/${id}`, `@fontsource/${id}`]) {
    const { status, stdout } = run('npm', ['view', name, 'version'], cwd)
    if (status === 0 && stdout.trim()) return [name, `^${stdout.trim()}`]
  }
  return null
}

async function writeChanges(root: string, changes: readonly FileChange[]): Promise<void> {
  for (const { file, after } of changes) {
    const target = path.join(root, file)
    await mkdir(path.dirname(target), { recursive: true })
    await (after === null ? rm(target) : writeFile(target, after))
  }
}

/** @param app path of the app relative to the root of its workspace; empty without a workspace */
async function showDifference(changes: readonly FileChange[], app: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-move-'))
  try {
    for (const side of ['before', 'after'] as const) {
      const files = changes.map((each) => ({ ...each, after: each[side] }))
      await mkdir(path.join(folder, side))
      await writeChanges(
        path.join(folder, side, app),
        files.filter(({ after }) => after !== null),
      )
    }
    return run('git', ['diff', '--no-index', '--no-prefix', 'before', 'after'], folder).stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Ending = 'install failed' | 'build failed' | 'built'

const endings = (manager: PackageManager): Readonly<Record<Ending, string>> => ({
  'install failed': 'The packages could not be installed. See the message above.',
  'build failed': 'The build failed. See the message above.',
  built: `The build succeeded. Run "${manager} run dev" to start the app.`,
})

/**
 * @param installRoot folder of the app's lock file, which a workspace has in its root
 * @returns the step that failed, or the result for a successful build
 */
function installAndBuild(
  { cwd, print }: MoveHost,
  installRoot: string,
  manager: PackageManager,
): Ending {
  const succeeds = (args: readonly string[], folder = installRoot) => {
    print(`\n$ ${manager} ${args.join(' ')}`)
    return (
      spawnSync(manager, args, { cwd: folder, stdio: 'inherit', shell: isWindows }).status === 0
    )
  }
  const isInstalled =
    succeeds(installs[manager]) ||
    (manager === 'npm' &&
      (installUnlocked(installRoot, succeeds) || installPastPeers(installRoot, succeeds)))
  if (!isInstalled) return 'install failed'
  return succeeds(['run', 'build'], cwd) ? 'built' : 'build failed'
}

/** Commands that install packages even if the lock file is outdated. */
const installs: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['install'],
  pnpm: ['install', '--no-frozen-lockfile'],
  yarn: ['install'],
  bun: ['install'],
}

/** Installs packages without the locked versions of those that the move updates. */
function installUnlocked(cwd: string, succeeds: (args: readonly string[]) => boolean): boolean {
  const file = path.join(cwd, 'package-lock.json')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : null
  const unlocked = before === null ? null : unlockUpdated(before)
  if (before === null || unlocked === null) return false
  writeFileSync(file, unlocked)
  if (succeeds(installs.npm)) return true
  writeFileSync(file, before)
  return false
}

/**
 * Installs packages although some of their peer dependencies don't accept React 19, and configures
 * npm to ignore such conflicts from now on.
 */
function installPastPeers(cwd: string, succeeds: (args: readonly string[]) => boolean): boolean {
  if (!succeeds(['install', '--legacy-peer-deps'])) return false
  const file = path.join(cwd, '.npmrc')
  const before = existsSync(file) ? readFileSync(file, 'utf8').replace(/\n?$/, '\n') : ''
  writeFileSync(file, `${before}legacy-peer-deps=true\n`)
  return true
}

/** Returns findings about keys of `next.config`. */
async function findConfigNotes(cwd: string, files: readonly string[]): Promise<Finding[]> {
  const file = files.find((each) => /^next\.config\.m?[jt]s$/.test(each))
  if (file === undefined) return []
  const lines: string[] = []
  const code = await readFile(path.join(cwd, file), 'utf8')
  try {
    await readConfig(cwd, (line) => void lines.push(line))
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return [{ kind: 'change', file, line: 1, text }]
  }
  return lines.map((each) => {
    const text = each.replace(`${file}: `, '')
    const key = /^[\w.]*?(\w+):/.exec(text)?.[1] ?? ''
    const at = key === '' ? -1 : code.search(new RegExp(`\\b${key}\\b`))
    return { kind: 'differs', file, line: at === -1 ? 1 : lineCounter(code)(at), text }
  })
}

/** Commits all changes. The working tree was clean before, so all of them belong to the move. */
function commit(cwd: string, workspace: Workspace | null): string {
  const listed = ['--cached', '--others', '--exclude-standard', '--', ...rootFiles(workspace)]
  const changed = workspace ? listFiles(cwd, listed) : []
  run('git', ['add', '--all', '--', '.', ...changed], cwd)
  const done = run('git', ['commit', '--quiet', '--no-verify', '-m', 'Move to Waymark'], cwd)
  return done.status === 0
    ? '\nThe move is one commit. Run "git show" to see it, and "git revert HEAD" to undo it.'
    : '\nThe move could not be committed. Run "git diff HEAD" to see it, and "git reset --hard" to undo it.'
}

function describe(
  { modules, findings, changes }: MovePlan,
  ending: Ending | null,
  manager: PackageManager,
): string {
  const list = (kind: 'change' | 'differs') =>
    findings
      .filter((each) => each.kind === kind)
      .map(({ file, line, text }) => `  ${file}:${line}  ${text}`)
  const section = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? ['', title, ...lines] : []
  const counts = [...modules].map(([module, count]) => `  ${String(count).padStart(4)}  ${module}`)
  return [
    ...section(
      'Files changed',
      changes.map(({ file }) => `  ${file}`),
    ),
    ...section('Modules of next, by number of importing files', counts),
    ...section('Behaves differently', list('differs')),
    ...section('Must be changed', list('change')),
    ...(ending === null ? [] : ['', endings(manager)[ending]]),
  ].join('\n')
}

const isWindows = process.platform === 'win32'

function run(program: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  return spawnSync(program, args, { cwd, encoding: 'utf8', shell: isWindows && program !== 'git' })
}
