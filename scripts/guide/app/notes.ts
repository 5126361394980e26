export type Note = { id: string; text: string }

const notes = new Map<string, Note>()

export async function findNote(id: string): Promise<Note | undefined> {
  return notes.get(id)
}

export async function saveNote(id: string, note: Note): Promise<void> {
  notes.set(id, note)
}
