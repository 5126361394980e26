import { expect, test } from 'vitest'
import type { Contract } from '../contract/contractFile.ts'
import { createReport, reportComment, reportLines } from './checkReport.ts'

const personas = ['anonymous', 'member', 'admin']
const before: Contract = {
  personas,
  entries: [
    {
      kind: 'page',
      name: '/admin/users',
      properties: { 'access anonymous': '401', 'access member': '403', 'access admin': '200' },
    },
  ],
}
const after: Contract = {
  personas,
  entries: [
    {
      kind: 'page',
      name: '/admin/users',
      properties: { 'access everyone': '200', cache: 'private' },
    },
    { kind: 'page', name: '/admin/export', properties: { 'access everyone': '200' } },
    { kind: 'not proven', name: '', properties: { 'page /x/[id]': 'no path is known' } },
  ],
}
const facts = {
  version: 1 as const,
  basePath: '',
  appDir: 'app',
  routes: [
    {
      pattern: '/admin/users',
      kind: 'page' as const,
      file: 'app/admin/users/page.tsx',
      layouts: [],
      screens: [],
      exports: [],
      pathnames: [],
    },
  ],
  interceptions: [],
  proxy: null,
  actions: [],
  clientModules: {},
  imports: {},
}
const code = {
  facts,
  changes: new Map(),
  components: new Map(),
  proxied: new Set<string>(),
  readLines: () => ['export default 1'],
}

test('a report lists differences by effect, and names the lines', () => {
  expect(reportLines(createReport(before, after, code, []))).toEqual([
    'Access widens:',
    '  The page /admin/users now gives *anonymous* 200 instead of 401.',
    '    app/admin/users/page.tsx:1',
    '  The page /admin/users now gives *member* 200 instead of 403.',
    '    app/admin/users/page.tsx:1',
    '',
    'Nobody has decided about this yet:',
    '  The page /admin/export is new. It is open to *everyone*: 200. Beside it, /admin/users (401) refuses *anonymous*.',
    '',
    'Other differences:',
    '  The page /admin/users has the cache rule `private`.',
    '    app/admin/users/page.tsx:1',
    '',
  ])
})

test('personas with the same change share a sentence', () => {
  const open: Contract = {
    personas,
    entries: [{ kind: 'page', name: '/admin/users', properties: { 'access everyone': '200' } }],
  }
  const closed: Contract = {
    personas,
    entries: [{ kind: 'page', name: '/admin/users', properties: { 'access everyone': '401' } }],
  }
  const { differences } = createReport(closed, open, code, [])
  expect(differences.map(({ sentence }) => sentence)).toEqual([
    'The page /admin/users now gives *anonymous*, *member* and *admin* 200 instead of 401.',
  ])
})

test('a report is fine without differences, and fails with a finding', () => {
  const place = { file: 'app/users/page.tsx', line: 12 }
  const finding = { sentence: 'The page /users sends `passwordHash` to *member*.', place }
  expect(createReport(before, before, code, []).isOk).toBe(true)
  expect(createReport(before, before, code, [finding]).isOk).toBe(false)
  expect(reportComment(createReport(before, before, code, [finding]))).toContain(
    '- **Problem:** The page /users sends `passwordHash` to *member*. `app/users/page.tsx:12`',
  )
})

test('a first contract has no differences, but lists what was not tried', () => {
  const report = createReport(null, after, code, [])
  expect(report).toMatchObject({ isOk: true, differences: [] })
  expect(report.notProven).toEqual({ 'page /x/[id]': 'no path is known' })
})
