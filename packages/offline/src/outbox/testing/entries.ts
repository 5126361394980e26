import type { NewEntry } from '../entry.ts'

export function newEntry(overrides: Partial<NewEntry> = {}): NewEntry {
  return {
    key: 'k',
    action: 'add',
    build: null,
    body: '["text"]',
    bytes: 8,
    page: { pathname: '/', search: '', from: '/', beside: [] },
    description: { name: 'note', label: 'Note', fields: [], draft: null },
    madeAtMs: 0,
    owner: null,
    awaitedUntilMs: 0,
    tries: 0,
    timesSent: 0,
    state: { kind: 'waiting' },
    ...overrides,
  }
}
