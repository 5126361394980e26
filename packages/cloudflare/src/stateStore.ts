/** A value that SQLite stores. */
type SqlValue = string | number | null

type SqlRow = Readonly<Record<string, SqlValue>>

/** The SQLite database of a Durable Object. */
export type Sql = {
  exec(query: string, ...values: SqlValue[]): { toArray(): SqlRow[] }
}

/** How an invalidation treats entries. The type is the same as in `waymark/drivers`. */
type Mode = 'stale' | 'expired'

/** An invalidated tag, with the position of its last invalidation in this mode. */
export type TagMark = { readonly tag: string; readonly mode: Mode; readonly position: number }

/** The invalidations after a position. */
export type InvalidationLog = {
  readonly position: number
  /** Position at which the log begins. Earlier invalidations are unknown. */
  readonly begun: number
  /** For each mode, the position up to which marks were dropped for lack of space. */
  readonly dropped: Readonly<Record<Mode, number>>
  readonly marks: readonly TagMark[]
}

/** The state of a lease. `result` is encoded as Base64. */
export type LeaseState =
  | { readonly kind: 'ours' }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly result: string }

/** A line of the journal. */
export type JournalLine = {
  /** Digest of an error, or the kind of a different record. */
  readonly name: string
  readonly timeMs: number
  readonly line: string
}

/** A page of the journal. `end` is `null` after the last page. */
export type JournalPage = { readonly lines: readonly string[]; readonly end: JournalPlace | null }

/** Limits of the journal. */
export type JournalLimits = {
  readonly maxRecords: number
  /** Time before which lines are deleted, in milliseconds since the epoch. */
  readonly oldestMs: number
}

/** A place in the journal, between two lines. */
export type JournalPlace = { readonly timeMs: number; readonly id: number }

/** The functions of the state. Each one takes and returns JSON. */
export type State = ReturnType<typeof createState>

// Maximum number of marks. A new isolate reads all of them, so they must not be many.
const maxMarks = 10_000

const pageSize = 200

/**
 * Creates the state that all isolates of an app share: invalidated tags, leases and the journal. A
 * Durable Object runs one call at a time, so each call is atomic.
 */
export function createState(sql: Sql, now: () => number = Date.now) {
  const rows = (query: string, ...values: SqlValue[]) => sql.exec(query, ...values).toArray()
  const facts = createFacts(rows)
  // Upper bounds for the numbers of rows. Counting reads all rows, so count only at the limit.
  let maybeMarks = maxMarks
  let maybeLines = Number.POSITIVE_INFINITY

  for (const statement of schema) sql.exec(statement)
  if (facts.get('position') === 0) begin(0)

  /** Begins the log of invalidations, after a position. */
  function begin(after: number): void {
    const position = Math.max(now() * 1_000, after + 1)
    facts.set('position', position)
    facts.set('begun', position)
  }

  /**
   * @param after the caller's position. It is larger than the last position if the database was
   * restored from an older copy, which lacks invalidations.
   */
  function lastPosition(after: number): number {
    if (after > facts.get('position')) begin(after)
    return facts.get('position')
  }

  function dropMarks(): void {
    const [{ count = 0 } = {}] = rows('SELECT COUNT(*) AS count FROM marks')
    maybeMarks = Number(count)
    if (maybeMarks <= maxMarks) return
    const surplus = maybeMarks - Math.floor(maxMarks * 0.9)
    const oldest = 'SELECT tag, mode, position FROM marks ORDER BY position LIMIT ?'
    for (const { tag = null, mode, position } of rows(oldest, surplus)) {
      const name = mode === 'stale' ? 'droppedStale' : 'droppedExpired'
      facts.set(name, Math.max(facts.get(name), Number(position)))
      rows('DELETE FROM marks WHERE tag = ? AND mode = ?', tag, mode ?? null)
    }
    maybeMarks -= surplus
  }

  function dropLines({ maxRecords, oldestMs }: JournalLimits): void {
    rows('DELETE FROM lines WHERE timeMs < ?', oldestMs)
    const countOf = (where: string) =>
      Number(rows(`SELECT COUNT(*) AS count FROM lines ${where}`)[0]?.count ?? 0)
    const keepNewest = (where: string, max: number) => {
      const surplus = countOf(where) - max
      if (surplus <= 0) return
      const oldest = `SELECT id FROM lines ${where} ORDER BY timeMs, id LIMIT ?`
      rows(`DELETE FROM lines WHERE id IN (${oldest})`, surplus)
    }
    keepNewest('WHERE ofStrangers = 1', Math.ceil(maxRecords / 2))
    keepNewest('', maxRecords)
    maybeLines = countOf('')
  }

  return {
    /** Invalidates tags. @returns the position of this invalidation and of the previous one */
    invalidate(input: {
      readonly tags: readonly string[]
      readonly mode: Mode
      readonly after: number
    }) {
      const previous = lastPosition(input.after)
      // Positions are microseconds, so that a log that begins again continues with larger ones.
      const position = Math.max(now() * 1_000, previous + 1)
      facts.set('position', position)
      for (const tag of input.tags) {
        rows('INSERT OR REPLACE INTO marks VALUES (?, ?, ?)', tag, input.mode, position)
      }
      maybeMarks += input.tags.length
      if (maybeMarks > maxMarks) dropMarks()
      return { position, previous }
    },

    readInvalidations({ after }: { readonly after: number }): InvalidationLog {
      const position = lastPosition(after)
      const marks = position === after ? [] : rows('SELECT * FROM marks WHERE position > ?', after)
      return {
        position,
        begun: facts.get('begun'),
        dropped: { stale: facts.get('droppedStale'), expired: facts.get('droppedExpired') },
        // The table contains only what `invalidate` wrote, so cast.
        marks: marks as unknown as readonly TagMark[],
      }
    },

    /** Takes a lease, unless somebody else has it or its work is done. */
    lease(input: {
      readonly key: string
      readonly owner: string
      readonly leaseMs: number
    }): LeaseState {
      const { key, owner, leaseMs } = input
      rows('DELETE FROM leases WHERE expiresAtMs <= ?', now())
      const [existing] = rows('SELECT owner, result FROM leases WHERE key = ?', key)
      if (typeof existing?.result === 'string') return { kind: 'done', result: existing.result }
      if (existing && existing.owner !== owner) return { kind: 'running' }
      const expiresAtMs = now() + leaseMs
      rows('INSERT OR REPLACE INTO leases VALUES (?, ?, NULL, ?)', key, owner, expiresAtMs)
      return { kind: 'ours' }
    },

    renew({
      key,
      owner,
      leaseMs,
    }: {
      readonly key: string
      readonly owner: string
      readonly leaseMs: number
    }) {
      const renewed =
        'UPDATE leases SET expiresAtMs = ? WHERE key = ? AND owner = ? AND result IS NULL'
      rows(renewed, now() + leaseMs, key, owner)
      return null
    },

    /** Stores the result of the work. @param input `result` is encoded as Base64 */
    complete(input: {
      readonly key: string
      readonly owner: string
      readonly result: string
      readonly leftMs: number
    }) {
      const { key, owner, result, leftMs } = input
      rows('INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)', key, owner, result, now() + leftMs)
      return null
    },

    /** Removes a lease or its result. */
    release({ key, owner }: { readonly key: string; readonly owner: string }) {
      rows('DELETE FROM leases WHERE key = ? AND owner = ?', key, owner)
      return null
    },

    writeLines(input: {
      readonly lines: readonly JournalLine[]
      readonly ofStrangers: boolean
      readonly limits: JournalLimits
    }) {
      const insert = 'INSERT INTO lines (name, timeMs, ofStrangers, line) VALUES (?, ?, ?, ?)'
      for (const { name, timeMs, line } of input.lines) {
        rows(insert, name, timeMs, Number(input.ofStrangers), line)
      }
      maybeLines += input.lines.length
      // Half of the space is for strangers' records, so check before the whole space is used.
      if (maybeLines > input.limits.maxRecords / 2) dropLines(input.limits)
      return null
    },

    /**
     * Reads a page of the journal, newest line first.
     * @param input `digest` selects the lines that may contain a digest. `before` is where the
     * previous page ended.
     */
    readLines({
      digest,
      before,
    }: {
      readonly digest: string | null
      readonly before: JournalPlace | null
    }): JournalPage {
      const { timeMs, id } = before ?? { timeMs: Number.MAX_SAFE_INTEGER, id: 0 }
      const named = digest === null ? '' : "AND name IN (?, 'alike')"
      const query = `SELECT id, timeMs, line FROM lines
        WHERE (timeMs < ? OR (timeMs = ? AND id < ?)) ${named}
        ORDER BY timeMs DESC, id DESC LIMIT ${pageSize}`
      const page = rows(query, timeMs, timeMs, id, ...(digest === null ? [] : [digest]))
      const last = page.at(-1)
      const end: JournalPlace | null =
        last && page.length === pageSize
          ? { timeMs: Number(last.timeMs), id: Number(last.id) }
          : null
      return { lines: page.map(({ line }) => String(line)), end }
    },
  }
}

const schema = [
  'CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS marks
    (tag TEXT, mode TEXT, position INTEGER, PRIMARY KEY (tag, mode)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS marksByPosition ON marks (position)',
  `CREATE TABLE IF NOT EXISTS leases
    (key TEXT PRIMARY KEY, owner TEXT, result TEXT, expiresAtMs INTEGER) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS leasesByTime ON leases (expiresAtMs)',
  `CREATE TABLE IF NOT EXISTS lines
    (id INTEGER PRIMARY KEY, name TEXT, timeMs INTEGER, ofStrangers INTEGER, line TEXT)`,
  'CREATE INDEX IF NOT EXISTS linesByTime ON lines (timeMs, id)',
  'CREATE INDEX IF NOT EXISTS linesByName ON lines (name, timeMs)',
]

type FactName = 'position' | 'begun' | 'droppedStale' | 'droppedExpired'

/** Stores single numbers, which are 0 at first. */
function createFacts(rows: (query: string, ...values: SqlValue[]) => SqlRow[]) {
  return {
    get(name: FactName): number {
      return Number(rows('SELECT value FROM facts WHERE name = ?', name)[0]?.value ?? 0)
    },
    set(name: FactName, value: number): void {
      rows('INSERT OR REPLACE INTO facts VALUES (?, ?)', name, value)
    },
  }
}
