import { cached } from 'waymark/server'

const store = globalThis as { notes?: number }

export function addNote(): void {
  store.notes = (store.notes ?? 0) + 1
}

export const listNotes = cached(
  async () => Array.from({ length: 20 }, (_, at) => `Note ${at + (store.notes ?? 0)}`),
  { tags: ['notes'] },
)

/** A board of twenty notes that many people have open. */
export async function Board() {
  const notes = await listNotes()
  return (
    <ul>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
