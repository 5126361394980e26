import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { RouteManifest } from '../../builds/buildManifest.ts'
import type { UsedFeature } from '../config/hostAdapter.ts'
import { checkHost, listUsedFeatures } from './hostFeatures.ts'

const root = '/project'
const socket = '/project/node_modules/chat/socket.js'

function usesOf(importers: Readonly<Record<string, readonly string[]>>) {
  const hostFeatures = { sockets: [pathToFileURL(socket)] }
  return listUsedFeatures({
    root,
    packages: [{ hostFeatures }, {}],
    graphs: { importersOf: (side, id) => (side === 'server' ? (importers[id] ?? []) : []) },
    facts: { routes: [], serverFeatures: [] },
  })
}

describe('features that an app uses', () => {
  test('are found by the files that import a module of a package', () => {
    const importers = { [socket]: ['/project/app/b/route.ts?x', '/project/app/a/route.ts'] }
    expect(usesOf(importers)).toEqual([
      { feature: 'sockets', text: 'WebSockets (app/a/route.ts, app/b/route.ts)' },
    ])
  })

  test('are found through modules of packages, even if these import each other', () => {
    const between = '/project/node_modules/chat/index.js'
    const virtual = '\0virtual:list'
    const importers = {
      [socket]: [between, virtual],
      [between]: [socket, '/project/app/page.tsx'],
      [virtual]: ['/elsewhere/node_modules/x/index.js'],
    }
    expect(usesOf(importers)).toEqual([{ feature: 'sockets', text: 'WebSockets (app/page.tsx)' }])
  })

  test("aren't used by a package that no file imports", () => {
    expect(usesOf({})).toEqual([])
    expect(usesOf({ [socket]: ['/project/node_modules/chat/index.js'] })).toEqual([])
  })

  test('include state that instances should share', () => {
    const route = (rendering: RouteManifest['rendering']) => ({ rendering }) as RouteManifest
    const stateOf = (routes: readonly RouteManifest[], serverFeatures: readonly string[] = []) => {
      const facts = { routes, serverFeatures }
      return listUsedFeatures({ root, packages: [], graphs: { importersOf: () => [] }, facts })
    }
    const timed = route({ kind: 'static', count: 1, revalidateSeconds: 60 })
    expect(stateOf([timed], ['server actions'])).toEqual([
      { feature: 'sharedState', text: 'server actions and pages with a lifetime' },
    ])
    expect(stateOf([route({ kind: 'static', count: 1, revalidateSeconds: null })])).toEqual([])
  })
})

describe('a host', () => {
  const sockets: UsedFeature = { feature: 'sockets', text: 'WebSockets (app/chat/route.ts)' }
  const state: UsedFeature = { feature: 'sharedState', text: 'server actions' }
  const check = (options: Partial<Parameters<typeof checkHost>[0]>) =>
    checkHost({
      adapter: { name: 'A host', lacks: ['sockets', 'sharedState'] },
      used: [],
      allowMissing: [],
      hasStores: false,
      ...options,
    })

  test('fails the build if it lacks a feature that the app uses', () => {
    expect(() => check({ used: [sockets, state] })).toThrow(
      "These parts of the app don't work on A host: WebSockets (app/chat/route.ts). Remove them, or choose another adapter. To build the app anyway, set waymark({ allowMissing: ['sockets'] }) in vite.config.ts.",
    )
    expect(check({ used: [sockets], allowMissing: ['sockets'] })).toEqual([])
    expect(check({ used: [sockets], adapter: { name: 'Another host' } })).toEqual([])
  })

  test('without shared state causes a warning, unless the app has stores', () => {
    expect(check({ used: [state] })).toEqual([
      expect.stringContaining('The app has server actions. An invalidation'),
    ])
    expect(check({ used: [state], hasStores: true })).toEqual([])
    expect(check({ used: [state], allowMissing: ['sharedState'] })).toEqual([])
  })

  test('that runs no code has its own checks', () => {
    expect(
      check({ used: [sockets], adapter: { name: 'Files', lacks: ['requests', 'sockets'] } }),
    ).toEqual([])
  })
})
