import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { nodeReactPlugin } from './nodeReact.ts'
import { loadReact, serverFile } from './reactLoader.ts'

const root = path.resolve(import.meta.dirname, '../../..')

test('leaves a React with unexpected files to Vite', () => {
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
  const lines: string[] = []
  expect(resolveReact(root, lines)).toMatch(/react\.react-server\.js$/)
  expect(lines).toEqual([])
  expect(resolveReact(app, lines)).toBeNull()
  expect(lines).toEqual([expect.stringMatching(/^Waymark skipped "node-react": /)])
})

/** Calls the plugin as Vite does, with the app's React. */
function resolveReact(root: string, lines: string[]): unknown {
  const plugin = nodeReactPlugin() as unknown as {
    configResolved(config: { root: string; logger: { warn(line: string): void } }): void
    resolveId: { handler(this: unknown, id: string): unknown }
  }
  plugin.configResolved({ root, logger: { warn: (line) => lines.push(line) } })
  return plugin.resolveId.handler.call({ environment: { name: 'rsc', config: { root } } }, 'react')
}

test('loads React for server components once, and makes React DOM use it', () => {
  const file = serverFile('react', root) ?? ''
  expect(file).toMatch(/react\.react-server\.js$/)
  const react = loadReact(file, 'rsc', root)
  expect(react).not.toHaveProperty('useState')
  expect(loadReact(file, 'rsc', root)).toBe(react)
  expect(loadReact(serverFile('react-dom', root) ?? '', 'rsc', root)).toHaveProperty('preload')
})
