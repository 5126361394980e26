import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { loadReact, serverFile } from './reactLoader.ts'
import { applyChanges, boundReferences } from './textPatches.ts'

const root = path.resolve(import.meta.dirname, '../../..')

test("finds plugin-rsc's memory of references in its installed version", () => {
  const entry = createRequire(import.meta.url).resolve('@vitejs/plugin-rsc')
  const files = readdirSync(path.dirname(entry)).filter((name) => /^shared-.*\.js$/.test(name))
  const changed = files.filter((name) => {
    const code = readFileSync(path.join(path.dirname(entry), name), 'utf8')
    return applyChanges(code, boundReferences) !== null
  })
  expect(changed).toHaveLength(1)
})

test('loads React for server components once, and React DOM with the same React', () => {
  const file = serverFile('react', root)
  expect(file).toMatch(/react\.react-server\.js$/)
  const react = loadReact(file, 'rsc', root)
  expect(react).not.toHaveProperty('useState')
  expect(loadReact(file, 'rsc', root)).toBe(react)
  expect(loadReact(serverFile('react-dom', root), 'rsc', root)).toHaveProperty('preload')
})
