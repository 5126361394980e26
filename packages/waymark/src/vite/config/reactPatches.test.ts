import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { reactServerDom } from './nodeReact.ts'
import { applyPatch, reactPatches, sharedModules } from './reactPatches.ts'

const { resolve } = createRequire(import.meta.url)
const folders = {
  react: path.dirname(resolve('react/package.json')),
  'react-dom': path.dirname(resolve('react-dom/package.json')),
  'react-server-dom': path.dirname(resolve(`${reactServerDom}/server.node`)),
}

function installed(file: string): string {
  const [name = ''] = /^react(?:-server)?(?:-dom)?/.exec(file) ?? []
  return readFileSync(path.join(folders[name as keyof typeof folders], 'cjs', file), 'utf8')
}

test.each(reactPatches)('the installed $file can be adapted', (patch) => {
  const code = installed(patch.file)
  const changed = applyPatch(patch, code)
  for (const [pattern] of patch.changes) expect(changed.search(pattern)).toBe(-1)
  expect(applyPatch(patch, code)).toBe(changed)
})

test.each(reactPatches)('another $file fails the build', (patch) => {
  expect(() => applyPatch(patch, 'exports.version = "30.0.0"')).toThrow(
    `can't adapt React's ${patch.file}`,
  )
})

test('a rendering that completes ends with React’s message', () => {
  const patch = reactPatches.find(({ environment }) => environment === 'rsc')
  const changed = patch ? applyPatch(patch, installed(patch.file)) : ''
  expect(changed).toContain('.cacheController.complete("This render completed')
})

test('what react-dom and its renderer share begins as in react-dom', () => {
  const name = '__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
  const [code = ''] = Object.values(sharedModules).filter((text) => text.includes(name))
  const shared: Record<string, object> = {}
  new Function('exports', code)(shared)
  const own = createRequire(import.meta.url)('react-dom')[name]
  const shapeOf = ({ d, ...rest }: { d: object }) => ({ ...rest, d: Object.keys(d).sort() })
  expect(shapeOf(shared[name] as { d: object })).toEqual(shapeOf(own))
})
