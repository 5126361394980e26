import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../workspace/paths.mjs'
import { addRelease, nextVersion, parseChanges, releaseNotes } from './changes.mjs'

const fixed = { kind: 'fixed', text: 'A link works.' } as const
const added = { kind: 'added', text: 'A new option,\nexplained in two lines.' } as const
const breaking = { kind: 'breaking', text: 'The option is gone.' } as const

test('each file is a change, and its name contains the kind', () => {
  const files = { 'README.md': '# How', 'b.added.md': `${added.text}\n`, 'a.fixed.md': fixed.text }
  expect(parseChanges(files)).toEqual({ changes: [fixed, added], problems: [] })
})

test.each([
  ['a kind that does not exist', 'a.repaired.md', 'Text.', 'the name must look like'],
  ['no kind', 'a.md', 'Text.', 'the name must look like'],
  ['no text', 'a.fixed.md', '\n', 'write one paragraph'],
  ['a list', 'a.fixed.md', '- one\n- two', 'write one paragraph'],
  ['a heading', 'a.fixed.md', '# Fixed\nText.', 'write one paragraph'],
])('%s is a problem', (_, name, text, problem) => {
  const { changes, problems } = parseChanges({ [name]: text })
  expect(changes).toEqual([])
  expect(problems).toEqual([expect.stringContaining(`changes/${name}: ${problem}`)])
})

test.each([
  ['1.2.3', [fixed], '1.2.4'],
  ['1.2.3', [fixed, added], '1.3.0'],
  ['1.2.3', [added, breaking], '2.0.0'],
  ['0.2.3', [breaking], '0.3.0'],
  ['0.2.3', [fixed], '0.2.4'],
])('the version after %s', (current, changes, next) => {
  expect(nextVersion('# Changelog\n', current, changes)).toBe(next)
})

test('a version in development becomes the next one', () => {
  expect(nextVersion('## 0.1.0, in development\n', '0.1.0', [breaking])).toBe('0.1.0')
})

test('a release is added above the earlier ones', () => {
  const earlier = '# Changelog\n\nNewest first.\n\n## 1.0.0, 2026-11-01\n\n### Fixed\n\n- Old.\n'
  const release = { version: '1.1.0', date: '2026-12-01', changes: [fixed, added] }
  expect(addRelease(earlier, release)).toBe(`# Changelog

Newest first.

## 1.1.0, 2026-12-01

### Added

- A new option,
  explained in two lines.

### Fixed

- A link works.

## 1.0.0, 2026-11-01

### Fixed

- Old.
`)
})

test('a section in development becomes the release and keeps its entries', () => {
  const open = '# Changelog\n\n## 0.1.0, in development\n\n### Added\n\n- Routes, for $& a start.\n'
  const release = { version: '0.1.0', date: '2026-12-01', changes: [fixed] }
  expect(addRelease(open, release)).toBe(
    '# Changelog\n\n## 0.1.0, 2026-12-01\n\n### Fixed\n\n- A link works.\n\n### Added\n\n- Routes, for $& a start.\n',
  )
})

test('the notes of a release are its section of the changelog', () => {
  const changelog = addRelease('# Changelog\n\n## 1.0.0, 2026-11-01\n\n- Old.\n', {
    version: '1.0.1',
    date: '2026-12-01',
    changes: [fixed],
  })
  expect(releaseNotes(changelog, '1.0.1')).toBe('### Fixed\n\n- A link works.')
  expect(releaseNotes(changelog, '1.0.0')).toBe('- Old.')
  expect(() => releaseNotes(changelog, '2.0.0')).toThrow('has no section for 2.0.0')
})

test('the files in changes/ are valid', () => {
  const folder = join(root, 'changes')
  const names = readdirSync(folder)
  const texts = names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  expect(parseChanges(Object.fromEntries(texts)).problems).toEqual([])
})
