import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createMemoryDriver } from '../cache/memoryCacheDriver.ts'
import type { Endpoint } from '../http/endpoint.ts'
import {
  type JoinedPackage,
  joinPackages,
  type ServerApp,
  type ServerPart,
} from './packageParts.ts'

const app = {
  buildId: 'b1',
  patterns: ['/a'],
  actions: {},
  navigationTimeoutMs: 3800,
  memory: createMemoryDriver(),
} as unknown as ServerApp

function join(...parts: readonly ServerPart[]) {
  const packages = parts.map((part, at): JoinedPackage => {
    return { name: `package-${at}`, create: () => part, options: {} }
  })
  return joinPackages(packages, app)
}

const endpoint = (path: string, more: Partial<Endpoint> = {}): Endpoint => {
  return { path, handle: async () => null, ...more }
}

test('each package is created once, with the app and its options', () => {
  const created: unknown[] = []
  const create: JoinedPackage['create'] = (app, options) => {
    created.push([app.buildId, options])
    return {}
  }
  joinPackages([{ name: 'a', create, options: { limit: 2 } }], app)
  expect(created).toEqual([['b1', { limit: 2 }]])
})

test('endpoints of all packages respond, observe documents and report metrics', () => {
  const seen: string[] = []
  const observe = (name: string) => () => void seen.push(name)
  const joined = join(
    { endpoints: [endpoint('/_waymark/a', { onDocument: observe('a'), metrics: () => 'a 1\n' })] },
    { endpoints: [endpoint('/_waymark/b', { onDocument: observe('b'), metrics: () => 'b 2\n' })] },
  )
  expect(joined.endpoints.map(({ path }) => path)).toEqual([
    '/_waymark/a',
    '/_waymark/b',
    '/_waymark/offline.js',
  ])
  joined.onDocument?.({ route: '/a', status: 200, isCut: false })
  expect(seen).toEqual(['a', 'b'])
  expect(joined.metrics?.()).toBe('a 1\nb 2\n')
})

test.each([
  'errors',
  'metrics',
  'clear-cookies',
  'health/live',
  'health/mine',
  'data.rsc',
  'data/shop.rsc',
  'assets/index.js',
  'not-found',
  'dev/errors',
  'devtools/panel',
  'events',
  'mcp',
  'file',
])('an endpoint at /_waymark/%s, which is reserved for Waymark, is refused', (name) => {
  expect(() => join({ endpoints: [endpoint(`/_waymark/${name}`)] })).toThrow(
    `The package package-0 has an endpoint at /_waymark/${name}, which is reserved for Waymark.`,
  )
})

test.each(['flags', 'errors-by-user', 'health', 'datasets', 'live', 'offline.js'])(
  'an endpoint may be at /_waymark/%s',
  (name) => {
    const path = `/_waymark/${name}`
    expect(join({ endpoints: [endpoint(path)] }).endpoints.map((each) => each.path)).toContain(path)
  },
)

test('an app without packages has no observers and no metrics', () => {
  const { onDocument, metrics, followPage, describeRequest } = join()
  expect([onDocument, metrics, followPage, describeRequest]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('a second package with followPage is refused, and the error names both', () => {
  const followPage = () => ({ rendering: '1', lastRow: () => '' })
  expect(() => join({ followPage }, { followPage })).toThrow(
    'package-0 and package-1 both have the hook followPage',
  )
})

/** Runs the service worker script that unregisters itself. @returns the names of the caches that it deletes */
async function removedBy(pathname: string, names: readonly string[]): Promise<string[]> {
  const response = await join().endpoints[0]?.handle({} as Parameters<Endpoint['handle']>[0])
  const removed: string[] = []
  const remove = async (name: string) => void removed.push(name)
  let removing: Promise<unknown> | undefined
  const event = { waitUntil: (work: Promise<unknown>) => (removing = work) }
  runInNewContext(String(response?.body), {
    location: { pathname },
    skipWaiting() {},
    registration: { unregister: async () => true },
    caches: { keys: async () => names, delete: remove },
    indexedDB: { deleteDatabase: remove },
    addEventListener: (type: string, run: (dispatched: typeof event) => void) =>
      type === 'activate' && run(event),
  })
  await removing
  return removed
}

test('the worker that removes itself keeps the stored data of other apps on its origin', async () => {
  const names = ['waymark-offline/b', 'waymark-offline%2Fdocs/b', 'waymark-offline%2Fdocs%2Fv1/b']
  const [root, docs, inner] = names
  expect(await removedBy('/_waymark/offline.js', names)).toEqual([root, 'waymark-offline'])
  expect(await removedBy('/docs/_waymark/offline.js', names)).toEqual([
    docs,
    'waymark-offline%2Fdocs',
  ])
  expect(await removedBy('/docs/v1/_waymark/offline.js', names)).toEqual([
    inner,
    'waymark-offline%2Fdocs%2Fv1',
  ])
})

test.each([
  ['/load-times', 'begin with /_waymark/'],
  ['/_waymark/load-times?a', 'have no query'],
])('an endpoint at %s is refused, with the name of its package', (path, rule) => {
  const part: ServerPart = { endpoints: [endpoint(path)] }
  expect(() => join(part)).toThrow('The package package-0 has an endpoint')
  expect(() => join(part)).toThrow(rule)
})

test('two packages with the same endpoint are refused, and the error names both', () => {
  const part: ServerPart = { endpoints: [endpoint('/_waymark/a')] }
  expect(() => join(part, part)).toThrow(
    'package-0 and package-1 both have an endpoint at /_waymark/a',
  )
})

test('wrappers run in the order of the list', () => {
  const run = (): Response => new Response()
  const { arounds } = join({ around: run }, {}, { around: { run, observes: true } })
  expect(arounds).toEqual([
    { run, observes: false },
    { run, observes: true },
  ])
})

test('a wrapper that is neither a function nor an observer is refused', () => {
  expect(() => join({ around: 5 as never })).toThrow('around')
})
