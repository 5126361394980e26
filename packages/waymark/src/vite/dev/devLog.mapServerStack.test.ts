import { pathToFileURL } from 'node:url'
import type { RunnableDevEnvironment } from 'vite'
import { expect, test } from 'vitest'
import { mapServerStack } from './devLog.ts'

/** Maps a stack in which one module is known, whose first line comes from the third line of its file. */
function mapWith(file: string, stack: string): string {
  const map = { version: 3, sources: [file], names: [], mappings: 'AAEA' }
  const module = { file, transformResult: { map } }
  const environment = {
    moduleGraph: { getModuleById: (id: string) => (id === file ? module : undefined) },
    runner: { evaluator: { startOffset: 0 } },
  } as unknown as RunnableDevEnvironment
  return mapServerStack(stack, environment)
}

test.each([
  '/clinic/app/[lang]/page.tsx',
  '/my clinic/app/page.tsx',
  '/clinic (1)/app/page.tsx',
  "/Tom's clinic/app/page.tsx",
  '/a%20b/app/page.tsx',
  '/über 日本 👩‍💻/app/page.tsx',
])('the position of an element in %s contains the path of the file', (file) => {
  const url = `about://React/Server/${pathToFileURL(file)}?7`
  const mapped = `Error: it failed\n    at Page (${file}:3:1)\n    at ${file}:3:1`
  const fromBrowser = `Error: it failed\n    at Page (${url}:1:1)\n    at ${url}:1:1`
  expect(mapWith(file, fromBrowser)).toBe(mapped)
  const fromServer = `Error: it failed\n    at Page (${file}:1:1)\n    at ${file}:1:1`
  expect(mapWith(file, fromServer)).toBe(mapped)
})

test('other lines of a stack stay as they are', () => {
  const stack = 'Error: at /other.tsx:1:1\n    at Other (/other.tsx:1:1)\n    at <anonymous>'
  expect(mapWith('/clinic/app/page.tsx', stack)).toBe(stack)
})
