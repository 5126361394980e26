/** A person who may sign in; the first one is an admin. */
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

/** What somebody wrote or attached; `file` is the name below `/uploads/`. */
export type Comment = {
  readonly id: string
  readonly issueId: number
  readonly author: string
  readonly text: string
  readonly file: string | null
  readonly createdAtMs: number
}

export type IssueFilter = { readonly state: State | null; readonly text: string }

/** All that the tracker stores. Each call is one statement, or one change of a file. */
export type Database = {
  /** @returns false when the name is taken */
  addUser(user: Omit<User, 'isAdmin'>): Promise<boolean>
  findUser(name: string): Promise<User | null>
  listUsers(): Promise<User[]>
  setAdmin(id: string, isAdmin: boolean): Promise<void>
  addSession(session: Session): Promise<void>
  findSessionUser(tokenHash: string, nowMs: number): Promise<User | null>
  /** Ends one session, or all of a user. */
  deleteSessions(which: { readonly tokenHash: string } | { readonly userId: string }): Promise<void>
  /** @returns the number of the issue */
  addIssue(issue: Omit<Issue, 'id'>): Promise<number>
  findIssue(id: number): Promise<Issue | null>
  /** The newest first, at most 200. */
  listIssues(filter: IssueFilter): Promise<Issue[]>
  setState(id: number, state: State): Promise<void>
  addComment(comment: Comment): Promise<void>
  /** The oldest first. */
  listComments(issueId: number): Promise<Comment[]>
}
