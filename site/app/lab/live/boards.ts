import 'server-only'

export type Entry = { readonly id: string; readonly text: string; readonly isDone: boolean }

type Board = { readonly entries: readonly Entry[]; readonly changedAtMs: number }

/** Maximum number of entries. Beyond this number, a board drops its oldest entry. */
const maxEntries = 6
const maxTextLength = 40
const maxBoards = 500
const forgottenAfterMs = 60 * 60_000

/** The entries of a new board. */
const firstEntries: readonly Entry[] = [
  { id: 'map', text: 'The map', isDone: true },
  { id: 'bread', text: 'Bread, cheese, two apples', isDone: false },
  { id: 'rain', text: 'Something against the rain', isDone: false },
]

/** Boards by id, in the memory of this process. The least recently changed board is first. */
const boards = new Map<string, Board>()

/** Returns the tag that a board's pages follow. */
export const boardTag = (id: string): string => `lab-board:${id}`

/** Creates an id that nobody can guess, because the URL of a board is its only protection. */
export const newBoardId = (): string => crypto.randomUUID()

export const isBoardId = (text: unknown): text is string =>
  typeof text === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)

/** Returns a board's entries. After an hour without changes, a board has its initial entries again. */
export function readBoard(id: string): readonly Entry[] {
  const board = boards.get(id)
  return board && Date.now() - board.changedAtMs < forgottenAfterMs ? board.entries : firstEntries
}

/** Adds an entry of up to 40 characters. Ignores empty entries. */
export function addEntry(id: string, text: string): void {
  const cut = [...text.trim()].slice(0, maxTextLength).join('')
  if (cut === '') return
  const entry = { id: crypto.randomUUID(), text: cut, isDone: false }
  store(id, [...readBoard(id), entry].slice(-maxEntries))
}

/** Ticks or unticks an entry. */
export function tickEntry(id: string, entryId: string): void {
  const turn = (entry: Entry) =>
    entry.id === entryId ? { ...entry, isDone: !entry.isDone } : entry
  store(id, readBoard(id).map(turn))
}

function store(id: string, entries: readonly Entry[]): void {
  boards.delete(id)
  boards.set(id, { entries, changedAtMs: Date.now() })
  for (const [oldest, { changedAtMs }] of boards) {
    if (boards.size <= maxBoards && Date.now() - changedAtMs < forgottenAfterMs) break
    boards.delete(oldest)
  }
}
