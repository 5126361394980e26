import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { FileChange, MoveMode, MovePlan, Versions } from './plan.ts'
import { planMove } from './planMove.ts'

/** Where the command runs. */
export type MoveHost = { readonly cwd: string; readonly print: (text: string) => void }

const help = `Usage: npx @waymark/next move [options]

Moves an App Router app to Waymark: package.json, vite.config.ts, the proxy, fonts, types. Then
installs, builds, and says what runs as it is, what runs otherwise, and what must change.

  --mode alias     Leave the imports of next as they are. The default.
  --mode native    Import from Waymark what it has under the same meaning.
  --dry-run        Show the difference, and change nothing.
  --no-build       Neither install nor build.
  --next, --waymark <version>   Of the packages, as package.json writes it.

Git must have no uncommitted changes, so that "git restore ." takes everything back.`

/**
 * Runs `npx @waymark/next move`.
 * @returns the exit code: 1 where the build fails or the move can't begin, 2 for wrong arguments
 */
export async function runMove(args: readonly string[], host: MoveHost): Promise<number> {
  const { print } = host
  const given = readArguments(args)
  if (given === null) {
    print(help)
    return args.includes('--help') ? 0 : 2
  }
  try {
    const files = listFiles(host.cwd, given.dryRun)
    const { versions, modules } = await readOwnManifest(given.versions)
    const plan = await planMove({
      ...{ root: host.cwd, files, mode: given.mode, versions, modules },
      findFont: async (family) => findFont(family, host.cwd),
    })
    if (given.dryRun) print(await showDifference(plan.changes))
    else await writeChanges(host.cwd, plan.changes)
    const ending = given.dryRun || !given.build ? null : installAndBuild(host)
    print(describe(plan, ending))
    return ending === null || ending === 'built' ? 0 : 1
  } catch (error) {
    print(error instanceof Error ? error.message : String(error))
    return 1
  }
}

type Given = {
  readonly mode: MoveMode
  readonly dryRun: boolean
  readonly build: boolean
  readonly versions: { readonly next?: string | undefined; readonly waymark?: string | undefined }
}

function readArguments(args: readonly string[]): Given | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        mode: { type: 'string', default: 'alias' },
        'dry-run': { type: 'boolean', default: false },
        build: { type: 'boolean', default: true },
        next: { type: 'string' },
        waymark: { type: 'string' },
      },
    })
    const { mode, build } = values
    if (positionals.join() !== 'move' || (mode !== 'alias' && mode !== 'native')) return null
    const versions = { next: values.next, waymark: values.waymark }
    return { mode, build, dryRun: values['dry-run'], versions }
  } catch {
    return null
  }
}

function listFiles(cwd: string, isDirtyFine: boolean): string[] {
  const listed = run('git', ['ls-files', '-z'], cwd)
  if (listed.status !== 0) {
    throw new Error(
      'This folder is not in a git repository. Run "git init", "git add ." and "git commit" first, so that everything can be taken back.',
    )
  }
  if (!isDirtyFine && run('git', ['status', '--porcelain', '.'], cwd).stdout !== '') {
    throw new Error(
      'There are uncommitted changes. Commit them, or put them away with "git stash".',
    )
  }
  return listed.stdout.split('\0').filter(Boolean)
}

async function readOwnManifest(given: Given['versions']): Promise<{
  versions: Versions
  modules: Set<string>
}> {
  const own = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as {
    readonly version: string
    readonly exports: Readonly<Record<string, unknown>>
    readonly peerDependencies: Versions
  }
  const { waymark, vite, react } = own.peerDependencies
  return {
    versions: {
      next: given.next ?? `npm:@waymark/next@^${own.version}`,
      waymark: given.waymark ?? waymark,
      vite,
      react,
    },
    modules: new Set(Object.keys(own.exports).map((each) => path.posix.join('next', each))),
  }
}

/** A variable font if there is one: it has all weights. */
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

async function showDifference(changes: readonly FileChange[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-move-'))
  try {
    for (const side of ['before', 'after'] as const) {
      const files = changes.map((each) => ({ ...each, after: each[side] }))
      await mkdir(path.join(folder, side))
      await writeChanges(
        path.join(folder, side),
        files.filter(({ after }) => after !== null),
      )
    }
    return run('git', ['diff', '--no-index', '--no-prefix', 'before', 'after'], folder).stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** By the file in which each keeps the versions that it has installed. */
const lockFiles = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun' } as const

type Ending = 'install failed' | 'build failed' | 'built'

const takeBack = 'Nothing is lost: "git diff" shows the move, and "git restore ." takes it back.'
const endings: Readonly<Record<Ending, string>> = {
  'install failed': `The packages could not be installed: the message is above. ${takeBack}`,
  'build failed': `The build failed: its message is above. ${takeBack}`,
  built: 'The build succeeded: "npm run dev" starts the app.',
}

/** @returns what failed, or that the app was built */
function installAndBuild({ cwd, print }: MoveHost): Ending {
  const files = run('git', ['ls-files', ...Object.keys(lockFiles)], cwd).stdout
  const [lockFile] = Object.keys(lockFiles).filter((each) => files.split('\n').includes(each))
  const manager = lockFile ? lockFiles[lockFile as keyof typeof lockFiles] : 'npm'
  const succeeds = (args: readonly string[]) => {
    print(`\n$ ${manager} ${args.join(' ')}`)
    return spawnSync(manager, args, { cwd, stdio: 'inherit', shell: isWindows }).status === 0
  }
  if (!succeeds(['install'])) return 'install failed'
  return succeeds(['run', 'build']) ? 'built' : 'build failed'
}

function describe({ modules, findings, changes }: MovePlan, ending: Ending | null): string {
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
    ...section('Imported from next, by files', counts),
    ...section('Runs otherwise than before', list('differs')),
    ...section('Must change', list('change')),
    ...(ending === null ? [] : ['', endings[ending]]),
  ].join('\n')
}

const isWindows = process.platform === 'win32'

function run(program: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  return spawnSync(program, args, { cwd, encoding: 'utf8', shell: isWindows && program !== 'git' })
}
