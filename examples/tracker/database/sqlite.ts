import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Comment, Database, Issue, User } from './database.ts'

type Value = string | number | null

/** The part of `node:sqlite` that the tracker uses. */
export type Sqlite = {
  DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void
    prepare(sql: string): {
      run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint }
      all(...values: Value[]): unknown[]
    }
  }
}

const schema = `
  pragma journal_mode = wal;
  pragma busy_timeout = 2000;
  create table if not exists users (
    id text primary key, name text not null unique, passwordHash text not null, isAdmin integer not null
  ) strict;
  create table if not exists sessions (
    tokenHash text primary key, userId text not null, expiresAtMs integer not null
  ) strict;
  create table if not exists issues (
    id integer primary key, title text not null, text text not null, state text not null,
    author text not null, createdAtMs integer not null
  ) strict;
  create table if not exists comments (
    id text primary key, issueId integer not null, author text not null, text text not null,
    file text, createdAtMs integer not null
  ) strict;
  create index if not exists commentsOfIssue on comments (issueId, createdAtMs);
`

/** Returns `node:sqlite`, which Node has since 22.13. Bundlers don't see this call as an import. */
export function findSqlite(): Sqlite | null {
  // Cast the module, because the types for Node 20 don't include it.
  return (process.getBuiltinModule('node:sqlite') as Sqlite | undefined) ?? null
}

/** Opens a database file, and creates the file if it doesn't exist. */
export function openSqliteDatabase({ DatabaseSync }: Sqlite, path: string): Database {
  mkdirSync(dirname(path), { recursive: true })
  const db = new DatabaseSync(path)
  db.exec(schema)
  // Cast the rows, because the schema above defines their shape.
  const all = <T>(sql: string, ...values: Value[]) => db.prepare(sql).all(...values) as T[]
  const run = (sql: string, ...values: Value[]) => db.prepare(sql).run(...values)
  return { ...peopleIn({ all, run }), ...issuesIn({ all, run }) }
}

type Queries = {
  all<T>(sql: string, ...values: Value[]): T[]
  run(
    sql: string,
    ...values: Value[]
  ): { changes: number | bigint; lastInsertRowid: number | bigint }
}

type UserRow = Omit<User, 'isAdmin'> & { readonly isAdmin: number }

function userOf(row: UserRow | undefined): User | null {
  return row ? { ...row, isAdmin: row.isAdmin === 1 } : null
}

function peopleIn({ all, run }: Queries) {
  return {
    async addUser({ id, name, passwordHash }) {
      const sql = 'insert or ignore into users values (?, ?, ?, not exists (select 1 from users))'
      return Number(run(sql, id, name, passwordHash).changes) === 1
    },
    async findUser(name) {
      return userOf(all<UserRow>('select * from users where name = ?', name)[0])
    },
    async listUsers() {
      return all<UserRow>('select * from users order by name').flatMap((row) => userOf(row) ?? [])
    },
    async setAdmin(id, isAdmin) {
      run('update users set isAdmin = ? where id = ?', isAdmin ? 1 : 0, id)
    },
    async addSession({ tokenHash, userId, expiresAtMs }) {
      run('delete from sessions where expiresAtMs < ?', Date.now())
      run('insert into sessions values (?, ?, ?)', tokenHash, userId, expiresAtMs)
    },
    async findSessionUser(tokenHash, nowMs) {
      const sql = `select users.* from sessions join users on users.id = userId
        where tokenHash = ? and expiresAtMs > ?`
      return userOf(all<UserRow>(sql, tokenHash, nowMs)[0])
    },
    async deleteSessions(which) {
      if ('tokenHash' in which) run('delete from sessions where tokenHash = ?', which.tokenHash)
      else run('delete from sessions where userId = ?', which.userId)
    },
  } satisfies Partial<Database>
}

function issuesIn({ all, run }: Queries) {
  return {
    async addIssue({ title, text, state, author, createdAtMs }) {
      const sql = 'insert into issues values (null, ?, ?, ?, ?, ?)'
      return Number(run(sql, title, text, state, author, createdAtMs).lastInsertRowid)
    },
    async findIssue(id) {
      return all<Issue>('select * from issues where id = ?', id)[0] ?? null
    },
    async listIssues({ state, text }) {
      const sql = `select * from issues where (?1 is null or state = ?1)
        and instr(lower(title || ' ' || text), lower(?2)) > 0 order by id desc limit 200`
      return all<Issue>(sql, state, text)
    },
    async setState(id, state) {
      run('update issues set state = ? where id = ?', state, id)
    },
    async addComment({ id, issueId, author, text, file, createdAtMs }) {
      const sql = 'insert into comments values (?, ?, ?, ?, ?, ?)'
      run(sql, id, issueId, author, text, file, createdAtMs)
    },
    async listComments(issueId) {
      return all<Comment>('select * from comments where issueId = ? order by createdAtMs', issueId)
    },
  } satisfies Partial<Database>
}
