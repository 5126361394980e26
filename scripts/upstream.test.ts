import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './workspace/paths.mjs'

const folder = join(root, 'docs/upstream')
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
const sections = ['What happens', 'What should happen', 'Reproduction', 'Proposed change']
const readPart = (name: string, file: string) => readFileSync(join(folder, name, file), 'utf8')

test('reports exist', () => expect(names).not.toEqual([]))

describe.each(names)('the report %s', (name) => {
  test('has a text and a script, and names no project except the other one', () => {
    expect(readdirSync(join(folder, name)).sort()).toEqual(['report.md', 'reproduce.mjs'])
    const texts = [readPart(name, 'report.md'), readPart(name, 'reproduce.mjs')]
    for (const text of texts) expect(text).not.toMatch(/waymark/i)
  })

  test('has its project, the versions and each section', () => {
    const report = readPart(name, 'report.md')
    expect(report).toMatch(/^# [\w-]+: .+\n\n\*\*To:\*\* .+\n\*\*Versions:\*\* .+\d\n?/)
    for (const section of sections) expect(readSection(report, section)).not.toBe('')
    expect(readSection(report, 'Reproduction')).toContain('`node reproduce.mjs`')
    expect(readSection(report, 'Reproduction')).toMatch(/\nreproduced\n```/)
  })

  test("has a script that needs no other file, installs one of the report's versions and prints a verdict", () => {
    const script = readPart(name, 'reproduce.mjs')
    const version = /process\.argv\[2\] \?\? '([\d.]+)'/.exec(script)?.[1] ?? 'none'
    expect(readPart(name, 'report.md')).toContain(version)
    expect(script).toContain('npm install')
    expect(script).toContain("'reproduced'")
    expect(script).toContain("'not reproduced'")
    expect(script).not.toContain("'../")
  })
})

test('each link to a report is valid', () => {
  const files = ['packages/waymark/src', 'docs'].flatMap((path) =>
    readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(root, path, file),
    ),
  )
  const links = files
    .filter((file) => /\.(md|tsx?)$/.test(file))
    .flatMap((file) => readFileSync(file, 'utf8').match(/upstream\/[\w-]+[\w/.-]*\.m\w+/g) ?? [])
  expect(links.length).toBeGreaterThan(0)
  const broken = links.filter((link) => !existsSync(join(root, 'docs', link)))
  expect(broken).toEqual([])
})

function readSection(report: string, title: string) {
  const [, text = ''] = report.split(`\n## ${title}\n`)
  return text.split('\n## ')[0]?.trim() ?? ''
}
