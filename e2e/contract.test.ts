import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

  test('passes if somebody can do less', async () => {
    for (const { files } of narrower) change(root, files)
    const { exitCode, named } = await check(root)
    expect(named).toEqual(narrower.flatMap(({ found }) => found).sort(byText))
    expect(exitCode).toBe(0)
  })
})
