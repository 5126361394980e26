import type { RunnableDevEnvironment } from 'vite'
import { expect, test } from 'vitest'
import { mapServerStack } from './devLog.ts'

test("the position of an element contains its file's path, including brackets", () => {
  const file = '/clinic/app/[lang]/page.tsx'
  // This map says that line 1, column 1 in the module comes from line 3, column 1 in the file.
  const map = { version: 3, sources: [file], names: [], mappings: 'AAEA' }
  const module = { file, transformResult: { map } }
  const environment = {
    moduleGraph: { getModuleById: (id: string) => (id === file ? module : undefined) },
    runner: { evaluator: { startOffset: 0 } },
  } as unknown as RunnableDevEnvironment
  const stack = 'at Page (about://React/Server/file:///clinic/app/%5Blang%5D/page.tsx?7:1:1)'
  expect(mapServerStack(stack, environment)).toBe(`at Page (${file}:3:1)`)
})
