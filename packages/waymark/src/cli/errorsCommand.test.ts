import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { alikeAt, digestAt, entryAt } from '../../../testing/src/drivers/journalDriverSuite.ts'
import { createFilesJournal } from '../journal/files/fileJournalDriver.ts'
import type { JournalRecord } from '../journal/journalDriver.ts'
import type { JournalEntry } from '../journal/journalEntry.ts'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { parseCommandLine } from './arguments.ts'
import type { ParsedOptions } from './commandOptions.ts'
import { describeCoreCommand } from './commands.ts'
import { errors } from './errorsCommand.ts'
import { createTerminal } from './terminal.ts'

async function appWith(...records: JournalRecord[]): Promise<string> {
  const root = temporaryFolder()
  const journal = createFilesJournal({ folder: path.join(root, '.waymark/journal') })
  for (const record of records) journal.write(record)
  await journal.close()
  return root
}

async function run(folder: string, options: ParsedOptions = {}) {
  const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), { columns: 120 })
  const stderr = new PassThrough({ encoding: 'utf8' })
  const terminal = createTerminal({ stdout, stderr })
  const code = await errors({ options: { folder, ...options }, terminal })
  const out = String(stdout.read() ?? '')
  return { out, err: String(stderr.read() ?? ''), code, lines: out.trimEnd().split('\n') }
}

describe('the command line', () => {
  test.each<[string[], ParsedOptions]>([
    [['errors'], {}],
    [['errors', 'site'], { folder: 'site' }],
    [['errors', '6R3V-OM2K-X7Q'], { digest: '6r3v-0m2k-x7q' }],
    [
      ['errors', '6r3v-0m2k-x7q', 'site', '--json'],
      { digest: '6r3v-0m2k-x7q', folder: 'site', json: true },
    ],
    [
      ['errors', '--since', '1h', '--route', '/x', '--group'],
      { since: 3_600_000, route: '/x', group: true },
    ],
  ])('%j is parsed', (argv, options) => {
    expect(parseCommandLine(argv, describeCoreCommand('errors'))).toEqual({ kind: 'run', options })
  })

  test("of another command doesn't accept a digest", () => {
    const line = parseCommandLine(['start', '6r3v-0m2k-x7q'], describeCoreCommand('start'))
    expect(line).toMatchObject({ options: { folder: '6r3v-0m2k-x7q' } })
  })

  test('takes one folder', () => {
    const line = parseCommandLine(['errors', 'a', 'b'], describeCoreCommand('errors'))
    expect(line).toMatchObject({
      kind: 'mistake',
      hint: 'Usage: waymark errors [digest] [folder] [options]',
    })
  })
})

describe('the list', () => {
  test('has a line for each entry, newest first', async () => {
    const root = await appWith(
      entryAt(1),
      entryAt(2, { message: 'two\nlines', route: null, path: '/no' }),
    )
    const { lines, code } = await run(root)
    expect(code).toBe(0)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(new RegExp(`^${digestAt(2)}  \\d+ d ago  document  /no  Error: two$`))
    expect(lines[1]).toMatch(/\/a\s+Error: error 1$/)
  })

  test('says that the journal has no matching errors', async () => {
    expect((await run(temporaryFolder())).out).toBe('The journal has no matching errors.\n')
  })

  test('is filtered', async () => {
    const fresh = entryAt(3, { timeMs: Date.now() - 60_000, fingerprint: 'fresh' })
    const root = await appWith(entryAt(1), entryAt(2, { route: '/b' }), fresh)
    expect((await run(root, { since: 3_600_000 })).lines).toHaveLength(1)
    expect((await run(root, { route: '/a' })).lines).toHaveLength(2)
    expect((await run(root, { fingerprint: 'fresh' })).lines).toHaveLength(1)
    expect((await run(root, { limit: 2 })).lines).toHaveLength(2)
  })

  test('is grouped with counts', async () => {
    const root = await appWith(
      entryAt(1, { fingerprint: 'one' }),
      alikeAt(2, 1_000, { fingerprint: 'one', route: '/b' }),
      entryAt(5_000, { fingerprint: 'two' }),
    )
    const { lines } = await run(root, { group: true })
    expect(lines[0]).toMatch(/^two\s+1×/)
    expect(lines[1]).toMatch(new RegExp(`^one\\s+1001×.*${digestAt(1)}.*/[ab] \\+1`))
  })

  test('is JSON with --json', async () => {
    const root = await appWith(entryAt(1))
    expect(JSON.parse((await run(root, { json: true })).out)).toEqual([
      entryAt(1, { stack: expect.any(String) }),
    ])
    expect(JSON.parse((await run(root, { json: true, group: true })).out)).toMatchObject([
      { count: 1 },
    ])
  })
})

describe('one error', () => {
  /** An app in development, where stack frames contain the paths of source files. */
  async function appThatThrew(changes: Partial<JournalEntry> = {}) {
    const root = temporaryFolder()
    mkdirSync(path.join(root, 'app'))
    const file = path.join(root, 'app/page.tsx')
    writeFileSync(file, ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].join('\n'))
    const journal = createFilesJournal({ folder: path.join(root, '.waymark/journal') })
    journal.write(
      entryAt(1, {
        message: 'broken\nin two lines',
        stack: `at x (${root}/node_modules/a/b.js:1:1)\nat Page (${file}:4:2)`,
        causes: [
          {
            relation: 'cause',
            name: 'TypeError',
            code: null,
            message: 'deeper',
            stack: `at y (${file}:6:1)`,
          },
        ],
        ...changes,
      }),
    )
    await journal.close()
    return root
  }

  test('is printed with its code and its causes', async () => {
    const { out, code } = await run(await appThatThrew({ status: 500 }), { digest: digestAt(1) })
    expect(code).toBe(0)
    expect(out).toContain('Error: broken\n  in two lines\n')
    expect(out).toContain('  request      /a?b=\n  route        /a\n  status       500\n')
    expect(out).toContain(
      'app/page.tsx:4:2\n2 | two\n3 | three\n4 | four\n  |  ^\n5 | five\n6 | six\n',
    )
    expect(out).toContain('  at Page (app/page.tsx:4:2)\n')
    expect(out).toContain('caused by TypeError: deeper\n  at y (app/page.tsx:6:1)\n')
  })

  test('from a browser is printed with the details that the browser reported', async () => {
    const browser = {
      userAgent: 'Agent',
      source: 'boundary',
      navigations: ['/', '/a'],
      componentStack: 'at Page (https://x/a.js:1:1)',
    }
    const root = await appThatThrew({ phase: 'browser', browser })
    const { out } = await run(root, { digest: digestAt(1) })
    expect(out).toContain('  browser      Agent\n  visited      / → /a\n')
    expect(out).toContain('rendered by\n  at Page (https://x/a.js:1:1)')
    // Don't read the file, because a path that a browser reports isn't a path on this machine.
    expect(out).not.toContain('| four')
  })

  test('is JSON with --json', async () => {
    const { out } = await run(await appThatThrew(), { digest: digestAt(1), json: true })
    expect(JSON.parse(out)).toMatchObject({
      digest: digestAt(1),
      alike: null,
      entry: {
        message: 'broken\nin two lines',
        frames: [{ place: null }, { functionName: 'Page', place: { line: 4, isAppCode: true } }],
        causes: [{ message: 'deeper', frames: [{ place: { line: 6 } }] }],
        code: { line: 4 },
      },
    })
  })

  test('without stored details is shown by another error of its group', async () => {
    const root = await appWith(entryAt(1), alikeAt(2, 500, { example: digestAt(1) }))
    const { out, code } = await run(root, { digest: digestAt(100) })
    expect(code).toBe(0)
    expect(out).toContain(`${digestAt(100)} is one of 500 errors in the group`)
    expect(out).toContain('Error: error 1')
  })

  test('of a group without stored details is described by the group', async () => {
    const { err, code } = await run(await appWith(alikeAt(2, 500)), { digest: digestAt(100) })
    expect(code).toBe(1)
    expect(err).toContain('is one of 500 errors')
  })

  test("that the journal doesn't have is reported as missing", async () => {
    const { err, code } = await run(await appWith(entryAt(1)), { digest: digestAt(2) })
    expect(code).toBe(1)
    expect(err).toContain(`has no error ${digestAt(2)}`)
  })

  test("isn't looked up in a folder that doesn't exist", async () => {
    const { err, code } = await run('/no/such/6r3v-0m2k')
    expect(code).toBe(2)
    expect(err).toContain('or a digest such as')
  })
})
