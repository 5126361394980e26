import { expect, test } from 'vitest'
import { workerdConfig } from './writeWorker.ts'

test('the configuration lists the modules in order with their types, and each variable once', () => {
  const text = workerdConfig({
    modules: ['worker.js', 'chunks/a-1.js', 'chunks/b.wasm'],
    envNames: ['API_URL', 'WAYMARK_SECRET'],
  })
  const modules = [...text.matchAll(/esModule = embed "([^"]+)"/g)].map(([, name]) => name)
  expect(modules).toEqual(['worker.js', 'chunks/a-1.js'])
  expect(text).toContain('(name = "chunks/b.wasm", wasm = embed "chunks/b.wasm")')
  const names = [...text.matchAll(/fromEnvironment = "([^"]+)"/g)].map(([, name]) => name)
  expect(names).toEqual(['WAYMARK_SECRET', 'API_URL'])
})
