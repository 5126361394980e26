import 'server-only'

/** An entry of a board. */
export type Entry = { readonly id: string; readonly text: string; readonly isDone: boolean }

type Board = { readonly entries: readonly Entry[]; readonly changedAtMs: number }

/** As many as a board has at most: then the oldest one goes. */
const maxEntries = 6
const maxTextLength = 40
const maxBoards = 500
const forgottenAfterMs = 60 * 60_000

/** What is on each board at first. */
const firstEntries: readonly Entry[] = [
  { id: 'map', text: 'The map', isDone: true },
  { id: 'bread', text: 'Bread, cheese, two apples', isDone: false },
  { id: 'rain', text: 'Something against the rain', isDone: false },
]

/** Boards by id, in this process's memory; the one that was changed longest ago comes first. */
const boards = new Map<string, Board>()

/** The tag of a board, which its pages follow. */
export const boardTag = (id: string): string => `lab-board:${id}`

/** An id that nobody guesses: a board is seen by those who were given its address. */
export const newBoardId = (): string => crypto.randomUUID()

export const isBoardId = (text: unknown): text is string =>
  typeof text === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)

/** What is on a board. One that was not changed for an hour is as at first. */
export function readBoard(id: string): readonly Entry[] {
  const board = boards.get(id)
  return board && Date.now() - board.changedAtMs < forgottenAfterMs ? board.entries : firstEntries
}

/** Adds an entry, cut to 40 characters; without a text, none. */
export function addEntry(id: string, text: string): void {
  const cut = [...text.trim()].slice(0, maxTextLength).join('')
  if (cut === '') return
  const entry = { id: crypto.randomUUID(), text: cut, isDone: false }
  store(id, [...readBoard(id), entry].slice(-maxEntries))
}

/** Ticks an entry off, or on again. */
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
