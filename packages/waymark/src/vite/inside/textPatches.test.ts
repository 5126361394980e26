import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyPatch, createPatchReport, type ReactFolders, reactFolders } from './patchedReact.ts'
import { applyChanges, applyFilePatches, reactPatches, sharedModules } from './textPatches.ts'

const folders = reactFolders(path.resolve(import.meta.dirname, '../../..'))

/** Writes the files of a patch, the one at `index` as another version of React may have it. */
function otherReact(patch: (typeof reactPatches)[number], index: number): ReactFolders {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-react-'))
  for (const [at, { package: name, file }] of patch.files.entries()) {
    const target = path.join(root, name, file)
    mkdirSync(path.dirname(target), { recursive: true })
    const installed = readFileSync(`${folders[name]}/${file}`, 'utf8')
    writeFileSync(target, at === index ? 'exports.cacheController = "30.0.0"' : installed)
  }
  const folderOf = (name: string) => path.join(root, name)
  return {
    react: folderOf('react'),
    'react-dom': folderOf('react-dom'),
    'react-server-dom': folderOf('react-server-dom'),
  }
}

describe.each(reactPatches)('$id', (patch) => {
  test('is possible in the installed React', () => {
    expect(applyPatch(patch, folders)).toBeNull()
  })

  test.each(patch.files.map((_, index) => index))('is left out for another file %i', (index) => {
    expect(applyPatch(patch, otherReact(patch, index))).toMatchObject({ state: 'not possible' })
  })

  test('is left out where a file is gone', () => {
    const nowhere = { react: null, 'react-dom': null, 'react-server-dom': null }
    expect(applyPatch(patch, nowhere)).toMatchObject({ state: 'not possible' })
  })
})

test.each([
  ['fizz-text', 'Bun.gc()'],
  ['fizz-text', "'undefined' !== typeof Bun"],
  ['dom-internals', 'ReactDOM.__OTHER_INTERNALS'],
])('%s is left out for a React that uses %s', (id, use) => {
  const patch = reactPatches.find((each) => each.id === id)
  for (const each of patch?.files ?? []) {
    if (!each.unless) continue
    const code = readFileSync(`${folders[each.package]}/${each.file}`, 'utf8')
    expect(applyFilePatches(code, [each])).not.toBeNull()
    expect(applyFilePatches(`${code}\n${use}`, [each])).toBeNull()
  }
  expect.hasAssertions()
})

test('a text is changed wholly or not at all', () => {
  const changes = [
    [/a/, '1'],
    [/b/, '2'],
  ] as const
  expect(applyChanges('ab', changes)).toBe('12')
  expect(applyChanges('ac', changes)).toBeNull()
})

test('a patch that is not possible is told in one line, once', () => {
  const lines: string[] = []
  const report = createPatchReport(
    (line) => lines.push(line),
    () => true,
  )
  report.record('row-writer', 'not possible')
  report.record('row-writer', 'not possible')
  report.record('row-writer', 'applied')
  report.record('fizz-text', 'applied')
  expect(report.states()).toEqual({ 'fizz-text': 'applied', 'row-writer': 'not possible' })
  expect(lines).toEqual([
    'Waymark does without row-writer: the text is another one. Rendering takes more processor time; all else works.',
  ])
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
