import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Comment, Database, Issue, Session, User } from './database.ts'

type Tables = {
  readonly users: User[]
  sessions: Session[]
  readonly issues: Issue[]
  readonly comments: Comment[]
}

/**
 * Opens a database in one JSON file, for one writing process and few people. Each call reads the file,
 * and each change replaces it.
 */
export function openFileDatabase(path: string): Database {
  const file = openTables(path)
  return { ...peopleIn(file), ...issuesIn(file) }
}

type TablesFile = ReturnType<typeof openTables>

function openTables(path: string) {
  let last: Promise<unknown> = Promise.resolve()
  async function read(): Promise<Tables> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{"users":[],"sessions":[],"issues":[],"comments":[]}'
      throw error
    })
    return JSON.parse(text)
  }
  /** Runs changes one after the other, so that each change starts with the result of the previous one. */
  function change<T>(edit: (tables: Tables) => T): Promise<T> {
    const changed = last.then(async () => {
      const tables = await read()
      const result = edit(tables)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.new`, JSON.stringify(tables))
      await rename(`${path}.new`, path)
      return result
    })
    // Ignore the error of a failed change here, because the change's caller gets it.
    last = changed.catch(() => {})
    return changed
  }
  return { read, change }
}

function peopleIn({ read, change }: TablesFile) {
  return {
    addUser: (user) =>
      change(({ users }) => {
        if (users.some(({ name }) => name === user.name)) return false
        users.push({ ...user, isAdmin: users.length === 0 })
        return true
      }),
    async findUser(name) {
      return (await read()).users.find((user) => user.name === name) ?? null
    },
    async listUsers() {
      return (await read()).users.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },
    setAdmin: (id, isAdmin) =>
      change(({ users }) => {
        const at = users.findIndex((user) => user.id === id)
        const user = users[at]
        if (user) users[at] = { ...user, isAdmin }
      }),
    addSession: (session) =>
      change((tables) => {
        const lasting = tables.sessions.filter(({ expiresAtMs }) => expiresAtMs >= Date.now())
        tables.sessions = [...lasting, session]
      }),
    async findSessionUser(tokenHash, nowMs) {
      const { sessions, users } = await read()
      const session = sessions.find((each) => each.tokenHash === tokenHash)
      if (!session || session.expiresAtMs <= nowMs) return null
      return users.find(({ id }) => id === session.userId) ?? null
    },
    deleteSessions: (which) =>
      change((tables) => {
        tables.sessions = tables.sessions.filter((session) =>
          'tokenHash' in which
            ? session.tokenHash !== which.tokenHash
            : session.userId !== which.userId,
        )
      }),
  } satisfies Partial<Database>
}

function issuesIn({ read, change }: TablesFile) {
  return {
    addIssue: (issue) => change(({ issues }) => issues.push({ ...issue, id: issues.length + 1 })),
    async findIssue(id) {
      return (await read()).issues.find((issue) => issue.id === id) ?? null
    },
    async listIssues({ state, text }) {
      const wanted = text.toLowerCase()
      const isMatch = (issue: Issue) =>
        (state === null || issue.state === state) &&
        `${issue.title} ${issue.text}`.toLowerCase().includes(wanted)
      return (await read()).issues.filter(isMatch).reverse().slice(0, 200)
    },
    setState: (id, state) =>
      change(({ issues }) => {
        const at = issues.findIndex((issue) => issue.id === id)
        const issue = issues[at]
        if (issue) issues[at] = { ...issue, state }
      }),
    addComment: (comment) => change(({ comments }) => void comments.push(comment)),
    async listComments(issueId) {
      return (await read()).comments.filter((comment) => comment.issueId === issueId)
    },
  } satisfies Partial<Database>
}
