import { describe, expect, test } from 'vitest'
import type { BuildManifest } from '../../../waymark/src/builds/buildManifest.ts'
import { chooseFaults, chooseRoutes } from './drillRoutes.ts'
import { drillFaults } from './faultList.ts'

const patterns = ['/', '/trails/[slug]', '/docs/[...path]', '/users/[id]']
const build = {
  // List only routes in the manifest, because `chooseRoutes` reads nothing else.
  manifest: {
    routes: patterns.map((pattern) => ({ pattern, kind: 'page' })),
  } as unknown as BuildManifest,
  pathnames: ['/', '/trails/oak', '/docs/a/b'],
}

describe('the routes of a drill', () => {
  test('have prerendered or configured paths', () => {
    const { routes, problems } = chooseRoutes(
      build,
      { paths: { '/trails/[slug]': '/trails/elm' } },
      null,
    )
    expect(routes.map(({ pathname }) => pathname)).toEqual(['/', '/trails/elm', '/docs/a/b'])
    expect(problems).toEqual([
      "/users/[id] is skipped, because no path for it is known. Add one to drill.config.ts: paths: { '/users/[id]': '…' }",
    ])
  })

  test('can be chosen by name', () => {
    const { routes, problems } = chooseRoutes(build, {}, ['/trails/[slug]', '/gone/[id]', 'x'])
    expect(routes).toEqual([{ pattern: '/trails/[slug]', pathname: '/trails/oak' }])
    expect(problems).toHaveLength(2)
    expect(chooseRoutes(null, {}, null).routes).toEqual([{ pattern: '/', pathname: '/' }])
  })
})

describe('the faults of a drill', () => {
  test('break a load in more than 40 ways, each with its own name', () => {
    const loads = drillFaults.filter(({ way }) => way !== 'act')
    expect(loads.length).toBeGreaterThanOrEqual(40)
    expect(new Set(drillFaults.map(({ id }) => id)).size).toBe(drillFaults.length)
  })

  test('can be chosen by target or name', () => {
    expect(chooseFaults('styles').chosen.every(({ target }) => target === 'styles')).toBe(true)
    expect(chooseFaults('data:hang').chosen.map(({ id }) => id)).toEqual(['data:hang'])
    expect(chooseFaults('data:hang,dat').unknown).toBe('dat')
  })
})
