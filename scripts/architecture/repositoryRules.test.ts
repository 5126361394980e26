import { describe, expect, test } from 'vitest'
import {
  architecturePageViolations,
  decisionViolations,
  installScriptViolations,
} from './repositoryRules.ts'

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

test('packages with install scripts are found, unless a platform may leave them out', () => {
  const packages = {
    'node_modules/native': { hasInstallScript: true },
    'node_modules/fsevents': { hasInstallScript: true, optional: true },
    'node_modules/plain': {},
  }
  expect(installScriptViolations(packages)).toEqual([
    'package-lock.json: node_modules/native has an install script',
  ])
})
