import { expect, test } from 'vitest'
import type { BuildFacts } from '../build/buildFacts.ts'
import type { Changes } from './changedLines.ts'
import type { Change, Difference } from './compareContracts.ts'
import { findCause, formatCause, importChain, importLine } from './findCause.ts'

const layouts = [
  { pattern: '/', file: 'app/layout.tsx' },
  { pattern: '/admin', file: 'app/admin/layout.tsx' },
]
const page = {
  kind: 'page' as const,
  exports: [],
  screens: [],
  pathnames: [],
  layouts: layouts.slice(0, 1),
}

const facts: BuildFacts = {
  version: 1,
  basePath: '',
  appDir: 'app',
  routes: [
    { ...page, pattern: '/help', file: 'app/help/page.tsx' },
    { ...page, pattern: '/help-desk', file: 'app/help-desk/page.tsx' },
    { ...page, pattern: '/admin', file: 'app/admin/page.tsx', layouts },
  ],
  interceptions: [],
  proxy: 'proxy.ts',
  actions: [
    {
      id: 'k#deleteUser',
      name: 'deleteUser',
      file: 'app/admin/actions.ts',
      routeFiles: ['app/admin/page.tsx', 'app/help/page.tsx'],
    },
  ],
  clientModules: {},
  imports: {
    'app/help/page.tsx': ['ui/form.tsx'],
    'ui/form.tsx': ['app/admin/actions.ts'],
    'app/admin/page.tsx': ['app/admin/actions.ts'],
    'app/admin/layout.tsx': ['lib/gate.ts'],
    'app/admin/actions.ts': [],
  },
}

const sources: Readonly<Record<string, string>> = {
  'app/help/page.tsx': "import 'a'\n\nimport { Form } from '../../ui/form.tsx'\n",
  'app/admin/page.tsx': "import { x } from 'x'\n\nexport default function Page() {}\n",
  'app/admin/actions.ts':
    "'use server'\n\nexport async function addUser() {\n}\n\nexport async function deleteUser() {\n}\n",
  'proxy.ts': "import { next } from 'waymark/server'\nconst open = ['/help']\n",
}

function causeOf(
  entry: Difference['entry'],
  change: Change,
  changes: Changes = new Map(),
): string | null {
  const readLines = (file: string) => (sources[file] ?? '').split('\n')
  const code = { facts, changes, components, proxied: new Set(['/help']), readLines }
  const cause = findCause({ entry, change, effect: 'widens' }, code)
  return cause && formatCause(cause)
}

const access = (how: string, before: string | null): Change => {
  return { kind: 'access', how, personas: ['anonymous'], before, after: '200' }
}
const components = new Map([['Card', { file: 'app/help/page.tsx', line: 2 }]])
const adminPage = { kind: 'page' as const, name: '/admin' }

test('an action that became callable: the import, and the modules in between', () => {
  const entry = { kind: 'action' as const, name: 'deleteUser' }
  expect(causeOf(entry, access('from /help', null))).toBe(
    'app/help/page.tsx:3 leads to app/admin/actions.ts through ui/form.tsx',
  )
})

test('a changed line of a module that a guard imports', () => {
  const changes: Changes = new Map([
    ['lib/gate.ts', [{ line: 7, text: '-  return role === "admin"\n+  return true\n' }]],
    ['lib/other.ts', [{ line: 1, text: '+return true' }]],
  ])
  expect(causeOf(adminPage, access('', '401'), changes)).toBe('lib/gate.ts:7')
})

test('a line with a word of guards comes before nearer changes, but an import does not', () => {
  const changes: Changes = new Map([
    [
      'app/admin/page.tsx',
      [
        { line: 1, text: "-import { forbidden } from 'waymark'\n" },
        { line: 9, text: '-  if (!user.isAdmin) forbidden()\n' },
      ],
    ],
    ['app/admin/layout.tsx', [{ line: 3, text: '+  <p>Hello</p>\n' }]],
  ])
  expect(causeOf(adminPage, access('', '403'), changes)).toBe('app/admin/page.tsx:9')
})

test('a layout that was deleted', () => {
  const changes: Changes = new Map([
    ['app/admin/(x)/layout.tsx', [{ line: null, text: '-  await requireAdmin()\n' }]],
  ])
  expect(causeOf(adminPage, access('', '401'), changes)).toBe('app/admin/(x)/layout.tsx')
})

test('a field of a client component: the line that renders it', () => {
  const entry = { kind: 'component' as const, name: 'Card' }
  const change = { kind: 'property' as const, key: 'fields', before: 'a', after: 'a, b' }
  expect(causeOf(entry, change)).toBe('app/help/page.tsx:2')
})

test("without Git, the page's own component", () => {
  expect(causeOf(adminPage, access('', '401'))).toBe('app/admin/page.tsx:3')
})

test('a new page whose URL begins like an exception in proxy.ts', () => {
  const properties = { 'access everyone': '200' }
  const entry = { ...adminPage, name: '/help-desk', properties }
  expect(causeOf(entry, { kind: 'added', entry })).toBe(
    'proxy.ts:2 has `/help`, which is also the beginning of /help-desk',
  )
})

test('proxy.ts only for routes that it runs for', () => {
  const changes: Changes = new Map([['proxy.ts', [{ line: 2, text: "+const open = ['/help']" }]]])
  expect(causeOf({ ...adminPage, name: '/help' }, access('', '401'), changes)).toBe('proxy.ts:2')
  expect(causeOf(adminPage, access('', '401'), changes)).toBe('app/admin/page.tsx:3')
})

test('the changed line of the action itself, if several actions of a module have changed', () => {
  const changes: Changes = new Map([
    [
      'app/admin/actions.ts',
      [
        { line: 4, text: '-  await requireAdmin()' },
        { line: 8, text: '-  await requireAdmin()' },
      ],
    ],
  ])
  const entry = { kind: 'action' as const, name: 'deleteUser' }
  expect(causeOf(entry, access('from /admin', '403'), changes)).toBe('app/admin/actions.ts:8')
})

test('the chain of imports is the shortest one', () => {
  expect(importChain('app/admin/page.tsx', 'app/admin/actions.ts', facts)).toEqual([
    'app/admin/page.tsx',
    'app/admin/actions.ts',
  ])
  expect(importChain('app/help/page.tsx', 'lib/none.ts', facts)).toEqual(['app/help/page.tsx'])
})

test.each([
  ["import { a } from './actions.ts'", 'app/actions.ts', 1],
  ["\nimport {\n  a,\n} from '../actions'", 'app/actions.ts', 4],
  ["const a = await import('@/lib/actions')", 'lib/actions.ts', 1],
  ["export { a } from './ui'", 'app/ui/index.ts', 1],
  ["import './other.ts'", 'app/actions.ts', null],
])('%j imports %s in line %s', (source, imported, line) => {
  expect(importLine(source.split('\n'), imported)).toBe(line)
})
