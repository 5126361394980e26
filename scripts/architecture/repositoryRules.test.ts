import { describe, expect, test } from 'vitest'
import {
  architecturePageViolations,
  decisionPathViolations,
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

  test('names no path that is gone', () => {
    const page = 'e2e/, packages/waymark/; `rsc/a.ts`, `e2e/a.ts`, `rsc/`, `a.ts`, `GET /a/b.ts`'
    expect(architecturePageViolations(page, paths)).toEqual([])
    expect(architecturePageViolations(`${page} \`rsc/b.ts\` and \`ssr/\``, paths)).toEqual([
      'ARCHITECTURE.md: rsc/b.ts is gone',
      'ARCHITECTURE.md: ssr/ is gone',
    ])
  })

  test('exists', () => {
    expect(architecturePageViolations(null, paths)).toHaveLength(1)
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

  test('name no file that is gone', () => {
    const check = (page: string) =>
      decisionPathViolations({ 'docs/decisions/a.md': page }, ['packages/waymark/src/rsc/a.ts'])
    expect(check('`rsc/a.ts`, and `app/page.tsx` of an app')).toEqual([])
    expect(check('`rsc/b.ts`')).toEqual(['docs/decisions/a.md: rsc/b.ts is gone'])
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
