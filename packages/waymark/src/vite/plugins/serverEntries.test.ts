import { expect, test } from 'vitest'
import { importChain } from './serverEntries.ts'

const importers: Record<string, string[]> = {
  '/app/lib/session.ts': ['/app/ui/button.tsx'],
  '/app/ui/button.tsx': ['\0virtual:vite-rsc/client-references/group'],
  '/app/a.ts': ['/app/b.ts?v=1'],
  '/app/b.ts?v=1': ['/app/a.ts'],
}
const importersOf = (id: string) => importers[id] ?? []

test.each([
  ['/app/lib/session.ts', ['/app/lib/session.ts', '/app/ui/button.tsx']],
  ['/app/a.ts', ['/app/a.ts', '/app/b.ts']],
])('the files that lead to an import by %s are named, of the app only', (first, expected) => {
  expect(importChain(first, importersOf)).toEqual(expected)
})
