import { describe, expect, test } from 'vitest'
import { architecturePageViolations, decisionViolations } from './repositoryRules.ts'

describe('the architecture page', () => {
  const paths = ['README.md', '.ci/run', 'e2e/a.ts', 'packages/waymark/src/rsc/a.ts']

  test('names every folder', () => {
    expect(architecturePageViolations('e2e/ and packages/waymark/', paths)).toEqual([
      'ARCHITECTURE.md: does not name the folder rsc/',
    ])
    expect(architecturePageViolations('e2e/ and rsc/', paths)).toEqual([])
  })

  test('has at most 150 lines', () => {
    expect(architecturePageViolations('a\n'.repeat(150), [])).toEqual([])
    expect(architecturePageViolations('a\n'.repeat(151), [])).toHaveLength(1)
  })

  test('is asked for nothing before it exists', () => {
    expect(architecturePageViolations(null, paths)).toEqual([])
  })
})

describe('decisions', () => {
  const manifest = { name: 'waymark', dependencies: { vite: '8.3.8' } }

  test('name every dependency', () => {
    expect(decisionViolations([manifest], ['We use TypeScript.'])).toEqual([
      'waymark: no page in docs/decisions names vite',
    ])
    expect(decisionViolations([manifest], ['We build with vite.'])).toEqual([])
  })

  test('are not needed without dependencies', () => {
    expect(decisionViolations([{ name: 'waymark' }], [])).toEqual([])
  })
})
