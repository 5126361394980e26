import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openFileDatabase } from './file.ts'
import { findSqlite, openSqliteDatabase } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'tracker-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sqlite = findSqlite()
const databases = [
  ['a file', () => openFileDatabase(join(folder, 'tracker.json'))],
  ...(sqlite ? [['SQLite', () => openSqliteDatabase(sqlite, join(folder, 'a.db'))] as const] : []),
] as const

describe.each(databases)('%s', (_, open) => {
  const db = open()
  const person = (name: string) => ({ id: `id-${name}`, name, passwordHash: 'hash' })

  test('makes the first user an admin, and refuses a name that is taken', async () => {
    expect(await db.addUser(person('ada'))).toBe(true)
    expect(await db.addUser(person('bob'))).toBe(true)
    expect(await db.addUser({ ...person('ada'), id: 'other' })).toBe(false)
    expect((await db.listUsers()).map(({ name, isAdmin }) => [name, isAdmin])).toEqual([
      ['ada', true],
      ['bob', false],
    ])
    await db.setAdmin('id-bob', true)
    expect(await db.findUser('bob')).toMatchObject({ isAdmin: true })
  })

  test('finds the user of a session until the session expires or is deleted', async () => {
    const expiresAtMs = Date.now() + 1_000
    for (const tokenHash of ['one', 'two', 'three'])
      await db.addSession({ tokenHash, userId: 'id-ada', expiresAtMs })
    expect(await db.findSessionUser('one', Date.now())).toMatchObject({ name: 'ada' })
    expect(await db.findSessionUser('one', expiresAtMs)).toBe(null)
    await db.deleteSessions({ tokenHash: 'one' })
    expect(await db.findSessionUser('one', 0)).toBe(null)
    await db.deleteSessions({ userId: 'id-ada' })
    expect(await db.findSessionUser('two', 0)).toBe(null)
  })

  test('lists issues by state and text, newest first, and their comments', async () => {
    const issue = { text: 'Since 10 %', author: 'ada', state: 'open', createdAtMs: 1 } as const
    const first = await db.addIssue({ ...issue, title: 'The lamp' })
    const second = await db.addIssue({ ...issue, title: 'The door' })
    await db.setState(second, 'done')
    const titles = async (state: 'open' | 'done' | null, text = '') =>
      (await db.listIssues({ state, text })).map(({ title }) => title)
    expect(await titles(null)).toEqual(['The door', 'The lamp'])
    expect(await titles('done')).toEqual(['The door'])
    expect(await titles(null, 'LAMP')).toEqual(['The lamp'])
    expect(await titles('done', '10 %')).toEqual(['The door'])
    expect(await db.findIssue(99)).toBe(null)
    const comment = {
      id: 'c',
      issueId: first,
      author: 'bob',
      text: 'Yes',
      file: null,
      createdAtMs: 2,
    }
    await db.addComment(comment)
    expect(await db.listComments(first)).toEqual([comment])
    expect(await db.listComments(second)).toEqual([])
  })
})
