import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { adaptText, replaceAllOrNothing, requireCall, selectAdaptations } from './adaptations.ts'
import { describeSkipped, findReact, type ReactFolders, tryAdaptation } from './adaptedReact.ts'

const all = selectAdaptations({ rows: true, lifetime: true, html: true, encoder: true })
const folders = findReact(import.meta.dirname)

/** Copies the files of an adaptation. The file at `index` gets the code of a different version. */
function otherReact(adaptation: (typeof all)[number], index: number): ReactFolders {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-react-'))
  for (const [at, { package: name, file }] of adaptation.files.entries()) {
    const target = path.join(root, name, file)
    mkdirSync(path.dirname(target), { recursive: true })
    const installed = readFileSync(`${folders[name]}/${file}`, 'utf8')
    writeFileSync(target, at === index ? 'exports.cacheController = "30.0.0"' : installed)
  }
  return {
    'react-dom': path.join(root, 'react-dom'),
    'react-server-dom': path.join(root, 'react-server-dom'),
  }
}

describe.each(all)('$name', (adaptation) => {
  test('fits the installed React', () => {
    const texts = new Map<string, string>()
    expect(tryAdaptation(adaptation, folders, texts)).toBeNull()
    expect(texts.size).toBe(adaptation.files.length)
  })

  test.each(adaptation.files.map((_, index) => index))(
    'is skipped as a whole for another version of file %i',
    (index) => {
      const texts = new Map<string, string>()
      const reason = tryAdaptation(adaptation, otherReact(adaptation, index), texts)
      expect(reason).toMatch(/doesn't have the expected code/)
      expect(texts.size).toBe(0)
    },
  )

  test('is skipped if React is not found', () => {
    const nowhere = { 'react-dom': null, 'react-server-dom': null }
    expect(tryAdaptation(adaptation, nowhere, new Map())).toMatch(/does not exist/)
  })
})

test('is not needed for a React without the code that it replaces', () => {
  const [lifetime] = all.filter(({ name }) => name === 'lifetime')
  if (!lifetime) throw new Error('There is no such adaptation.')
  const other = otherReact(lifetime, 0)
  const [file] = lifetime.files
  writeFileSync(`${other['react-server-dom']}/${file?.file}`, 'exports.version = "30.0.0"')
  expect(tryAdaptation(lifetime, other, new Map())).toBeNull()
})

test.each(['Bun.gc()', "'undefined' !== typeof Bun"])(
  'a React that uses %s does not fit',
  (use) => {
    const [html] = all.filter(({ name }) => name === 'html')
    const file = html?.files.find(({ unsupported }) => unsupported)
    if (!file) throw new Error('There is no such file.')
    const code = readFileSync(`${folders[file.package]}/${file.file}`, 'utf8')
    expect(adaptText(code, file)).not.toBeNull()
    expect(adaptText(`${code}\n${use}`, file)).toBeNull()
  },
)

test('a file is adapted as a whole or not at all', () => {
  const replacements = [
    [/a/, '1'],
    [/b/, '2'],
  ] as const
  expect(replaceAllOrNothing('ab', replacements)).toBe('12')
  expect(replaceAllOrNothing('ac', replacements)).toBeNull()
})

test('a module in a folder with quotes can be loaded', () => {
  const call = requireCall('./rowWriter.js', `file:///srv/it's "mine"/rows/index.js`)
  const parsed = new Function('require', `return ${call}`)
  expect(parsed((file: string) => file)).toBe(`/srv/it's "mine"/rows/rowWriter.js`)
})

test('switches turn adaptations off', () => {
  const selected = selectAdaptations({ rows: false, lifetime: true, html: false, encoder: true })
  expect(selected.map(({ name }) => name)).toEqual(['lifetime', 'encoder'])
})

test('one line says what was skipped and what it costs', () => {
  const [rows] = all.filter(({ name }) => name === 'rows')
  if (!rows) throw new Error('There is no such adaptation.')
  expect(describeSkipped(rows, 'react-dom/x.js does not exist')).toBe(
    '@waymark/speedups skipped "rows": react-dom/x.js does not exist. Rendering takes more processor time. Nothing else changes.',
  )
})
