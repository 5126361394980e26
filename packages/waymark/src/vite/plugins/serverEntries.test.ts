import { expect, test } from 'vitest'
import { importChain, rejectServerImports } from './serverEntries.ts'

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
])("the app's files that lead to an import by %s are named", (first, expected) => {
  expect(importChain(first, importersOf)).toEqual(expected)
})

test.each([
  [
    'await import("waymark/server")',
    /^await Promise\.reject\(new Error\("waymark\/server works only on the/,
  ],
  ["f(import('waymark/node'), import('./a'))", /^f\(Promise\.reject\(.*\), import\('\.\/a'\)\)$/],
])('%s fails when it runs', async (code, expected) => {
  const { handler } = rejectServerImports(/^waymark\/(?:server|node)$/)
  expect((await handler(code))?.code).toMatch(expected)
})

test.each([
  'import { cookies } from "waymark/server"',
  'import("waymark/client")',
  '// import("waymark/server")\nconst text = `import("waymark/server")`',
])('%s stays unchanged', async (code) => {
  expect(await rejectServerImports(/^waymark\/server$/).handler(code)).toBeNull()
})
