import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { type Hole, holes, narrower, otherChanges } from './harness/contractHoles.ts'

type Place = { readonly file: string; readonly line: number | null }

type Report = {
  readonly isOk: boolean
  readonly differences: readonly {
    readonly effect: string
    readonly sentence: string
    readonly cause: { readonly place: Place; readonly note: string | null } | null
  }[]
  readonly findings: readonly { readonly sentence: string; readonly place: Place | null }[]
  readonly notProven: Readonly<Record<string, string>>
}

const command = ['contract', '--skip', 'accessibility']

function git(root: string, ...args: string[]) {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' })
}

/** Copies an app into a repository of its own, whose only commit contains the app's contract. */
async function commitContract(app: string): Promise<string> {
  const root = copyApp({ app })
  const { exitCode, output } = await runWaymark(command, root)
  expect(output).toContain('Wrote contract.txt.')
  expect(exitCode).toBe(0)
  writeFileSync(join(root, '.gitignore'), '.waymark\nnode_modules\n')
  git(root, 'init', '-q')
  git(root, 'add', '.')
  git(root, 'commit', '-q', '-m', 'Accept the contract')
  return root
}

function change(root: string, files: Hole['files']): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    if (content === null) {
      rmSync(path, { recursive: true })
      continue
    }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : replace(path, content))
  }
}

/** Renames files and folders, and mends the imports. */
function move(root: string, names: Readonly<Record<string, string>>): void {
  for (const [before, after] of Object.entries(names)) {
    mkdirSync(dirname(join(root, after)), { recursive: true })
    renameSync(join(root, before), join(root, after))
  }
  const renamed = Object.entries(names).filter(([before]) => !before.startsWith('app/('))
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || path.includes('.waymark')) continue
    const text = readFileSync(path, 'utf8')
    const mended = renamed.reduce((each, [before, after]) => {
      return each.replaceAll(importedName(before), importedName(after))
    }, text)
    if (mended !== text) writeFileSync(path, mended)
  }
}

/** Returns the end of the paths in imports: `/_ui/faq.tsx` of a file, `/actions/` of a folder. */
function importedName(name: string): string {
  return `/${name.replace(/^app\//, '')}${name.endsWith('.ts') || name.endsWith('.tsx') ? '' : '/'}`
}

function replace(path: string, [before, after]: readonly [string, string]): string {
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(before)
  return text.replace(before, () => after)
}

async function check(root: string, env: Readonly<Record<string, string>> = {}) {
  const { exitCode, output, stdout } = await runWaymark(
    [...command, '--check', '--json'],
    root,
    env,
  )
  const begin = stdout.indexOf('{')
  expect(begin, output).toBeGreaterThanOrEqual(0)
  const { isOk, differences, findings, notProven } = JSON.parse(stdout.slice(begin)) as Report
  const important = differences.filter(({ effect }) => effect !== 'neutral')
  const named = [...important.map(describeDifference), ...findings.map(describeFinding)]
  return { exitCode, isOk, differences, named: named.sort(byText), notProven }
}

function describeDifference({ sentence, cause }: Report['differences'][number]) {
  const note = cause?.note ? ` ${cause.note}` : ''
  return { sentence, at: `${describePlace(cause?.place ?? null)}${note}` }
}

function describeFinding({ sentence, place }: Report['findings'][number]) {
  return { sentence, at: describePlace(place) }
}

function describePlace(place: Place | null): string {
  if (place === null) return 'nowhere'
  return place.line === null ? place.file : `${place.file}:${place.line}`
}

function byText(a: { readonly sentence: string }, b: { readonly sentence: string }): number {
  return a.sentence < b.sentence ? -1 : 1
}

describe('waymark contract --check', () => {
  let root = ''
  beforeAll(async () => {
    root = await commitContract('contractHoles')
  })
  afterEach(() => {
    git(root, 'reset', '-q', '--hard')
    git(root, 'clean', '-fdq')
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test('names all holes of a diff with file and line, and nothing else', async () => {
    for (const { files } of holes) change(root, files)
    const report = await check(root)
    expect(report.named).toEqual(holes.flatMap(({ found }) => found).sort(byText))
    expect(report).toMatchObject({ exitCode: 1, isOk: false })

    const { output, exitCode } = await runWaymark([...command, '--check'], root)
    expect(exitCode).toBe(1)
    for (const { sentence, at } of report.named) {
      expect(output).toContain(sentence)
      expect(output).toContain(at)
    }

    const withoutGit = await check(root, { GIT_DIR: join(root, 'none') })
    expect(withoutGit.named.map(({ sentence }) => sentence)).toEqual(
      report.named.map(({ sentence }) => sentence),
    )
    expect(withoutGit.named.filter(({ at }) => at === 'nowhere')).toEqual([])
  })

  test.each(holes.filter(({ name }) => /imports|library/.test(name)))('$name', async (hole) => {
    change(root, hole.files)
    expect(await check(root)).toMatchObject({ exitCode: 1, named: hole.found })
  })

  test('names changes of guards, redirects, handlers and actions', async () => {
    for (const { files } of otherChanges) change(root, files)
    const { exitCode, named, notProven } = await check(root)
    expect(named).toEqual(otherChanges.flatMap(({ found }) => found).sort(byText))
    expect(notProven).toHaveProperty('handler /api/notes POST')
    expect(exitCode).toBe(1)
  })

  test('fails for what is no longer tried', async () => {
    change(root, {
      'contract.config.ts': [`    '/photos/[id]': '/photos/1',\n`, ''],
    })
    change(root, {
      'contract.config.ts': [
        `() => ({ cookies: { session: 'session-of-ben' } })`,
        `() => Promise.reject(new Error('The database is empty.'))`,
      ],
    })
    const { exitCode, named, notProven } = await check(root)
    expect(exitCode).toBe(1)
    expect(notProven).toMatchObject({
      'page /photos/[id]': expect.stringContaining("add paths: { '/photos/[id]': '…' }"),
      'preview /photos/[id] from /gallery': expect.stringContaining('no path is known'),
      'persona other': expect.stringContaining('The database is empty.'),
    })
    const sentences = named.map(({ sentence }) => sentence)
    expect(sentences.filter((each) => each.includes('/photos'))).toEqual([
      'The page /photos/[id] is no longer tried as *anonymous*. Before: 307 to /sign-in.',
      'The page /photos/[id] is no longer tried as *member*, *other* and *admin*. Before: 200.',
      'The preview of /photos/[id] from /gallery is no longer tried as *anonymous*. Before: 307 to /sign-in.',
      'The preview of /photos/[id] from /gallery is no longer tried as *member*, *other* and *admin*. Before: 200.',
    ])
    expect(sentences).toContain('The page /members is no longer tried as *other*. Before: 200.')
  })

  test('sees no difference after files and folders were renamed', async () => {
    move(root, {
      'app/(inside)': 'app/(club)',
      'app/_ui/faq.tsx': 'app/_ui/questions.tsx',
      'app/start': 'app/(open)/start',
      actions: 'server',
      'lib/staff.ts': 'lib/employees.ts',
    })
    change(root, { 'app/(open)/start/page.tsx': ['Start()', 'ToMembers()'] })
    expect(await check(root)).toMatchObject({ exitCode: 0, differences: [], named: [] })
  })

  test('passes if somebody can do less', async () => {
    for (const { files } of narrower) change(root, files)
    const { exitCode, named } = await check(root)
    expect(named).toEqual(narrower.flatMap(({ found }) => found).sort(byText))
    expect(exitCode).toBe(0)
  })
})

test('a contract with merge conflicts, or two options that contradict, end with what to do', async () => {
  const root = copyApp({ app: 'contractHoles' })
  const contract = '<<<<<<< HEAD\npersonas: anonymous\n=======\n>>>>>>> other\n'
  writeFileSync(join(root, 'contract.txt'), contract)
  const conflict = await runWaymark(['contract', '--check'], root)
  expect(conflict.output.trim()).toBe(
    'contract.txt has a merge conflict at line 1. Resolve the conflict, or delete the file and write it again.',
  )
  expect(conflict.exitCode).toBe(2)
  const contradiction = await runWaymark(['contract', '--check', '--accept'], root)
  expect(contradiction.output).toContain('Use one of them.')
  expect(contradiction.exitCode).toBe(2)
  expect(readFileSync(join(root, 'contract.txt'), 'utf8')).toBe(contract)
})
