// The module is bundled into each route separately, but the state must exist once.
globalThis.boardStore ??= { notes: 0, listeners: new Set() }
const store = globalThis.boardStore

export const listNotes = () => Array.from({ length: 20 }, (_, at) => `Note ${at + store.notes}`)

export function addNote() {
  store.notes++
  for (const listener of store.listeners) listener()
}

export function onChange(listener) {
  store.listeners.add(listener)
  return () => store.listeners.delete(listener)
}
