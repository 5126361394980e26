import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { nodeReactPlugin } from './nodeReact.ts'
import { createPatchReport } from './patchedReact.ts'
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

test('leaves a React with other files to Vite', () => {
  const app = mkdtempSync(path.join(tmpdir(), 'waymark-node-react-'))
  for (const name of ['react', 'react-dom']) {
    const folder = path.join(app, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    const exports = {
      '.': { 'react-server': { node: './a.js' } },
      './package.json': './package.json',
    }
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, exports }))
  }
  expect(resolveReact(root)).toMatch(/react\.react-server\.js$/)
  expect(resolveReact(app)).toBeNull()
})

/** Asks the plugin as Vite does, for the React of an app. */
function resolveReact(root: string): unknown {
  const report = createPatchReport(
    () => {},
    () => true,
  )
  const plugin = nodeReactPlugin(report) as unknown as {
    configResolved(config: { root: string }): void
    resolveId: { handler(this: unknown, id: string): unknown }
  }
  plugin.configResolved({ root })
  return plugin.resolveId.handler.call({ environment: { name: 'rsc', config: { root } } }, 'react')
}

test('loads React for server components once, and React DOM with the same React', () => {
  const file = serverFile('react', root) ?? ''
  expect(file).toMatch(/react\.react-server\.js$/)
  const react = loadReact(file, 'rsc', root)
  expect(react).not.toHaveProperty('useState')
  expect(loadReact(file, 'rsc', root)).toBe(react)
  expect(loadReact(serverFile('react-dom', root) ?? '', 'rsc', root)).toHaveProperty('preload')
})
