import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../workspace/paths.mjs'
import { casesNotRun, escapePattern, quickCases, quickPattern, quickSpecs } from './quickCases.mjs'

// Match `describe('title'`, `test.skipIf(…)('title'`, and the name that is passed to
// `describeModes`.
const titlePattern =
  /\b(?:describe|describeModes|describeApp|test)(?:\.\w+)?(?:\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs

function titlesIn(source: string): RegExp[] {
  return [...source.matchAll(titlePattern)].map(([, , title = '']) => {
    const parts = title.replaceAll("\\'", "'").split(/%\w|\$\w+/)
    return new RegExp(`^${parts.map(escapePattern).join('.+')}(?:, (?:dev|production))?$`)
  })
}

describe('the cases of the quick run', () => {
  test.each(quickSpecs)('exist in %s', (file) => {
    const titles = titlesIn(readFileSync(join(root, file), 'utf8'))
    const isMissing = (title: string) => !titles.some((pattern) => pattern.test(title))
    const listed = quickCases.filter(({ spec }) => file === `e2e/${spec}.test.ts`)
    expect(listed.flatMap(({ title }) => title.filter(isMissing))).toEqual([])
  })

  test('are listed once', () => {
    const names = quickCases.map(({ spec, title }) => [spec, ...title].join(' > '))
    expect(names).toEqual([...new Set(names)])
  })

  test('are matched by their full names, and nothing else is', () => {
    const [first] = quickCases
    const name = first?.title.join(' ') ?? ''
    expect(name).toMatch(new RegExp(quickPattern))
    expect(`${name} and more`).not.toMatch(new RegExp(quickPattern))
  })

  test('are reported if a report lacks them or has skipped them', () => {
    const results = quickCases.slice(1).map(({ spec, title }, index) => ({
      name: `/e2e/${spec}.test.ts`,
      assertionResults: [{ status: index === 0 ? 'skipped' : 'passed', fullName: title.join(' ') }],
    }))
    const missing = quickCases.slice(0, 2).map(({ spec, title }) => `${spec}: ${title.join(' ')}`)
    expect(casesNotRun(JSON.stringify({ testResults: results }))).toEqual(missing)
  })
})
