import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reach } from '@waymark/contract/dev'
import { afterAll, expect, test, vi } from 'vitest'
import { buildRouteTree } from '../../../waymark/src/routing/testing/buildRouteTree.ts'
import { createInspectedRoutes } from '../../../waymark/src/vite/dev/inspectedRoutes.ts'
import type { ContractResult } from '../contract.ts'
import type { InspectedApp } from './inspectedApp.ts'
import { createMcpServer } from './mcpServer.ts'

const docs = mkdtempSync(join(tmpdir(), 'waymark-docs-'))
writeFileSync(join(docs, 'README.md'), '# The guide\n')
writeFileSync(join(docs, 'actions.md'), '# Server actions\n\nThey run once.\n')
afterAll(() => rmSync(docs, { recursive: true }))

const files = [
  'layout.tsx',
  'page.tsx',
  'blog/[slug]/page.tsx',
  'blog/layout.tsx',
  'list/layout.tsx',
  'list/page.tsx',
  'list/@modal/default.tsx',
  'list/@modal/(..)blog/[id]/page.tsx',
]
const unexpected = (): never => {
  throw new Error('not used by these tests')
}
const part = { kind: 'action', name: 'setAdmin', reachedBy: ['admin'], properties: {} } as const
const gets = (persona: string, text: string) => ({ persona, gets: text, isAdmitted: false })
const access = [
  { request: 'from /admin', outcomes: [gets('anonymous', '403'), gets('admin', 'may call')] },
]
const personas = ['anonymous', 'admin']
const answers: Readonly<Record<string, ContractResult<Reach>>> = {
  setAdmin: {
    kind: 'read',
    newerFile: 'app/admin/page.tsx',
    value: { personas, entries: [{ ...part, access }], notProven: {}, closeNames: null },
  },
  setAdmn: {
    kind: 'read',
    newerFile: null,
    value: { personas, entries: [], notProven: {}, closeNames: ['action setAdmin'] },
  },
  '/none': { kind: 'missing', commands: ['npx waymark contract'], config: null },
  '/conflict': { kind: 'unreadable', problem: 'contract.txt has a merge conflict at line 3.' },
}
const invalidate = vi.fn(async () => {})
const app: InspectedApp = {
  docs: [docs, join(docs, 'of a package that is missing')],
  routes: createInspectedRoutes(async () => buildRouteTree(files)),
  appDir: '/app',
  rendering: async (_, files) => {
    const place = { file: files.at(-1) ?? '', line: 4, column: 9, code: 'await cookies()' }
    return { kind: 'dynamic', reason: 'uses cookies()', place }
  },
  journal: { list: async () => [], find: async () => null },
  cache: { list: async () => [], invalidate },
  contract: { ofPage: unexpected, whoCanReach: async (what) => answers[what] ?? unexpected() },
  arrivals: () => [],
  drill: async (pathname, fault) => [{ pathname, fault, outcome: 'stuck' }],
  replay: async (digest, wish) => ({ digest, ...wish }),
}
const respond = createMcpServer({ app, version: '1.2.3' })

async function send(message: object) {
  return (await respond(JSON.stringify({ jsonrpc: '2.0', id: 7, ...message }))) as {
    result?: { isError?: boolean; content: [{ text: string }]; protocolVersion?: string }
    error?: { code: number }
  }
}

const call = async (name: string, input: unknown = {}) => {
  const { result } = await send({ method: 'tools/call', params: { name, arguments: input } })
  return { isError: result?.isError, text: result?.content[0].text ?? '' }
}

test.each([
  ['2025-06-18', '2025-06-18'],
  ['1999-01-01', '2025-11-25'],
])('a client of %s gets version %s', async (wanted, expected) => {
  const { result } = await send({ method: 'initialize', params: { protocolVersion: wanted } })
  expect(result?.protocolVersion).toBe(expected)
})

test.each([
  ['{', -32_700],
  ['[]', -32_600],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32_600],
  ['{"jsonrpc":"2.0","id":1,"method":"constructor"}', -32_601],
])('%s is refused with %d', async (body, code) => {
  expect(await respond(body)).toMatchObject({ error: { code } })
})

test('a notification gets no response', async () =>
  expect(await respond('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toBeNull())

test('explain_route returns the pattern, the params, the files from the root down, and the reason', async () => {
  const { text } = await call('explain_route', { pathname: '/blog/one' })
  expect(JSON.parse(text)).toEqual({
    pathname: '/blog/one',
    pattern: '/blog/[slug]',
    params: { slug: 'one' },
    kind: 'page',
    file: 'blog/[slug]/page.tsx',
    files: ['layout.tsx', 'blog/layout.tsx', 'blog/[slug]/page.tsx'],
    appDir: '/app',
    interceptions: [{ from: '/list', file: 'list/@modal/(..)blog/[id]/page.tsx' }],
    rendering: {
      kind: 'dynamic',
      reason: 'uses cookies()',
      place: { file: '/app/blog/[slug]/page.tsx', line: 4, column: 9, code: 'await cookies()' },
    },
  })
})

test('cache invalidates tags, and refuses other values', async () => {
  expect(await call('cache', { invalidate: ['posts'] })).toMatchObject({ isError: false })
  expect(invalidate).toHaveBeenCalledExactlyOnceWith(['posts'])
  expect(await call('cache', { invalidate: [1] })).toMatchObject({ isError: true })
  expect(invalidate).toHaveBeenCalledOnce()
})

test('docs only reads pages in its list', async () => {
  expect((await call('docs')).text).toBe('# The guide\n')
  expect((await call('docs', { page: 'actions' })).text).toContain('They run once.')
  expect((await call('docs', { query: 'RUN ONCE' })).text).toBe('actions.md:3: They run once.')
  for (const page of ['../../etc/passwd', '', 'x'.repeat(501), 5]) {
    expect(await call('docs', { page })).toMatchObject({ isError: true })
  }
})

test.each([
  ['an unknown tool', 'nothing', {}],
  ['an unknown digest', 'errors', { digest: 'never' }],
  ['no limit', 'errors', { limit: 0 }],
  ['no pathname', 'explain_route', {}],
  ['arguments that are not an object', 'routes', 'text'],
])('%s: the tool returns an error', async (_, name, input) => {
  expect(await call(name, input)).toMatchObject({ isError: true })
})

test('a tool that hangs times out', async () => {
  const hanging = createMcpServer({
    app: { ...app, routes: { ...app.routes, list: () => new Promise<never>(() => {}) } },
    version: '1',
    deadlineMs: 1,
  })
  const params = { name: 'routes' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  expect(JSON.stringify(await hanging(body))).toContain('took longer than 1 ms')
})

test('drill takes a pathname and nothing else', async () => {
  const { text } = await call('drill', { pathname: '/blog/one', fault: 'data:hang' })
  expect(JSON.parse(text)).toEqual([
    { pathname: '/blog/one', fault: 'data:hang', outcome: 'stuck' },
  ])
  const refused = await call('drill', { pathname: 'http://evil.test/', fault: 'data:hang' })
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringContaining('is not a pathname'),
  })
})

test('replay takes a digest and nothing else', async () => {
  const { text } = await call('replay', { digest: '6R3V 0M2K X7Q', test: true })
  expect(JSON.parse(text)).toEqual({ digest: '6r3v-0m2k-x7q', test: true, runAction: false })
  const refused = await call('replay', { digest: '../../etc' })
  expect(refused.text).toContain('is not a digest')
})

test('who_can_reach returns what each persona gets, and names a newer file', async () => {
  const { text } = await call('who_can_reach', { what: ' setAdmin ' })
  expect(JSON.parse(text)).toEqual({
    what: 'setAdmin',
    outdated: expect.stringContaining('app/admin/page.tsx has changed'),
    personas: ['anonymous', 'admin'],
    entries: [
      {
        ...part,
        access: [{ request: 'from /admin', gets: { anonymous: '403', admin: 'may call' } }],
      },
    ],
    notProven: {},
  })
})

test.each([
  ['an unknown name', 'setAdmn', false, '"closeNames": [\n    "action setAdmin"\n  ]'],
  ['no contract', '/none', false, 'npx waymark contract'],
  ['an unreadable contract', '/conflict', true, 'has a merge conflict at line 3'],
  ['nothing', ' ', true, 'what must name'],
])('who_can_reach explains %s', async (_, what, isError, expected) => {
  const result = await call('who_can_reach', { what })
  expect([result.isError, result.text]).toEqual([isError, expect.stringContaining(expected)])
})
