import { expect, test } from 'vitest'
import { createMatcher } from '../../routing/match.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { createMetadataResolver } from '../metadata/resolve.ts'
import { describingFiles, filesAbove } from './head.ts'

const matcher = createMatcher(
  buildRouteTree([
    'layout.tsx',
    'page.tsx',
    'board/layout.tsx',
    'board/page.tsx',
    'board/@side/layout.tsx',
    'board/@side/page.tsx',
    'board/@side/default.tsx',
    'board/@modal/default.tsx',
    'board/@modal/(.)photo/page.tsx',
    'board/photo/page.tsx',
  ]),
)

const allRendered = { guardOf: () => null }

function rootOf(pathname: string, from?: string): MatchedSegment {
  const match = matcher.match(pathname, { from })
  if (!match) throw new Error(`no route for ${pathname}`)
  return match.root
}

test('slots come before `children`, whose metadata wins', () => {
  const files = describingFiles(rootOf('/board'), allRendered)
  expect(files.map(({ path, isBeside }) => (isBeside ? `beside ${path}` : path))).toEqual([
    'layout.tsx',
    'board/layout.tsx',
    'beside board/@modal/default.tsx',
    'beside board/@side/layout.tsx',
    'beside board/@side/page.tsx',
    'board/page.tsx',
  ])
})

test('a page shown over another one comes last', () => {
  const files = describingFiles(rootOf('/board/photo', '/board'), allRendered)
  expect(files.at(-1)?.path).toBe('board/@modal/(.)photo/page.tsx')
  expect(files.map(({ path }) => path)).not.toContain('board/page.tsx')
})

test('a segment that is not rendered has no metadata', () => {
  const guardOf = ({ key }: MatchedSegment) => (key.includes('@side') ? undefined : null)
  const paths = describingFiles(rootOf('/board'), { guardOf }).map(({ path }) => path)
  expect(paths.filter((path) => path.includes('@side'))).toEqual([])
  expect(paths.at(-1)).toBe('board/page.tsx')
})

test('filesAbove returns the files from the root down to the first without a property', () => {
  const files = describingFiles(rootOf('/board'), allRendered)
  const above = filesAbove(files, ({ path }) => path !== 'board/@side/layout.tsx')
  expect(above.map(({ path }) => path)).toEqual([
    'layout.tsx',
    'board/layout.tsx',
    'board/@modal/default.tsx',
    'board/page.tsx',
  ])
})

test("a slot does not change the title template of the page's own segments", async () => {
  const resolve = createMetadataResolver()
  const file = (path: string, metadata: object, isBeside = false) => ({
    file: path,
    module: { metadata },
    isBeside,
  })
  const chain = [
    file('layout.tsx', { title: { template: '%s | Site', default: 'Site' } }),
    file('board/@side/layout.tsx', { title: { template: '%s | Side', default: 'Side' } }, true),
    file('board/@side/page.tsx', { title: 'Aside', description: 'From the slot' }, true),
    file('board/page.tsx', { title: 'Board' }),
  ]
  const request = {
    origin: null,
    pathname: '/board',
    propsOf: () => ({ params: Promise.resolve({}) }),
  }
  const { metadata } = await resolve(chain, request)
  expect(metadata.title?.absolute).toBe('Board | Site')
  expect(metadata.description).toBe('From the slot')
})
