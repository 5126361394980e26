/** A person with an account. The first person is an admin. */
export type User = {
  readonly id: string
  readonly name: string
  readonly passwordHash: string
  readonly isAdmin: boolean
}

export type Session = {
  readonly tokenHash: string
  readonly userId: string
  readonly expiresAtMs: number
}

export const states = ['open', 'doing', 'done'] as const
export type State = (typeof states)[number]

export type Issue = {
  readonly id: number
  readonly title: string
  readonly text: string
  readonly state: State
  readonly author: string
  readonly createdAtMs: number
}

/** A comment with text or a file from a user. `file` is the file's name below `/uploads/`. */
export type Comment = {
  readonly id: string
  readonly issueId: number
  readonly author: string
  readonly text: string
  readonly file: string | null
  readonly createdAtMs: number
}

export type IssueFilter = { readonly state: State | null; readonly text: string }

/** Data of the tracker. Each call is one SQL statement, or one change to a file. */
export type Database = {
  /** @returns false if the name is taken */
  addUser(user: Omit<User, 'isAdmin'>): Promise<boolean>
  findUser(name: string): Promise<User | null>
  listUsers(): Promise<User[]>
  setAdmin(id: string, isAdmin: boolean): Promise<void>
  addSession(session: Session): Promise<void>
  findSessionUser(tokenHash: string, nowMs: number): Promise<User | null>
  /** Ends one session, or all sessions of a user. */
  deleteSessions(which: { readonly tokenHash: string } | { readonly userId: string }): Promise<void>
  /** @returns the number of the issue */
  addIssue(issue: Omit<Issue, 'id'>): Promise<number>
  findIssue(id: number): Promise<Issue | null>
  /** Returns up to 200 issues, newest first. */
  listIssues(filter: IssueFilter): Promise<Issue[]>
  setState(id: number, state: State): Promise<void>
  addComment(comment: Comment): Promise<void>
  /** Returns the oldest comment first. */
  listComments(issueId: number): Promise<Comment[]>
}
