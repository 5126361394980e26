import { describe, expect, test } from 'vitest'
import {
  architecturePageViolations,
  decisionPathViolations,
  decisionViolations,
  installScriptViolations,
  versionClaimViolations,
} from './repositoryRules.ts'

describe('the architecture pages', () => {
  const paths = ['README.md', '.ci/run', 'e2e/a.ts', 'packages/waymark/src/rsc/a.ts']

  test('together name every folder', () => {
    expect(architecturePageViolations({ 'a.md': 'e2e/', 'b.md': 'waymark/' }, paths)).toEqual([
      'no page names the folder rsc/',
    ])
    expect(architecturePageViolations({ 'a.md': 'e2e/', 'b.md': 'rsc/' }, paths)).toEqual([])
  })

  test('name no deleted file or folder', () => {
    const first = 'e2e/, packages/waymark/; `rsc/a.ts`, `e2e/a.ts`, `rsc/`, `a.ts`, `GET /a/b.ts`'
    expect(architecturePageViolations({ 'a.md': first, 'b.md': '`rsc/a.ts`' }, paths)).toEqual([])
    expect(
      architecturePageViolations({ 'a.md': `${first} \`ssr/\``, 'b.md': '`rsc/b.ts`' }, paths),
    ).toEqual(['a.md: ssr/ does not exist', 'b.md: rsc/b.ts does not exist'])
  })

  test('must exist', () => {
    expect(architecturePageViolations({ 'a.md': 'e2e/, rsc/', 'b.md': null }, paths)).toEqual([
      'b.md is missing',
    ])
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

  test('name no deleted file', () => {
    const check = (page: string) =>
      decisionPathViolations({ 'docs/decisions/a.md': page }, ['packages/waymark/src/rsc/a.ts'])
    expect(check('`rsc/a.ts`, and `app/page.tsx` of an app')).toEqual([])
    expect(check('`rsc/b.ts`')).toEqual(['docs/decisions/a.md: rsc/b.ts does not exist'])
  })

  test('are not needed without dependencies', () => {
    expect(decisionViolations([{ name: 'waymark' }], [])).toEqual([])
  })
})

test('packages with install scripts are found, unless they are optional for a platform', () => {
  const packages = {
    'node_modules/native': { hasInstallScript: true },
    'node_modules/fsevents': { hasInstallScript: true, optional: true },
    'node_modules/plain': {},
  }
  expect(installScriptViolations(packages)).toEqual([
    'package-lock.json: node_modules/native has an install script',
  ])
})

test('pages name the oldest versions that the core allows', () => {
  const core = { engines: { node: '>=20.19' }, peerDependencies: { 'react-dom': '^19.2.0' } }
  const find = (text: string) => versionClaimViolations({ 'a.md': text }, core)
  expect(find('`react` and `react-dom` 19.2 or later, and Node 20.19 or later.')).toEqual([])
  expect(find('Needs `react-dom` 19.3.1 or later.')).toEqual([
    'a.md: says react-dom 19.3.1 or later; the core allows ^19.2.0',
  ])
  expect(find('Needs Node 22 or later.')).toEqual([
    'a.md: says Node 22 or later; the core allows >=20.19',
  ])
})
