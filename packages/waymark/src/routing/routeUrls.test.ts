import { expect, test } from 'vitest'
import { createMatcher } from './match.ts'
import { matchUrls, type RouteUrls } from './routeUrls.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'

const tree = buildRouteTree([
  '[locale]/layout.tsx',
  '[locale]/page.tsx',
  '[locale]/about/page.tsx',
  '[locale]/@modal/(.)about/page.tsx',
  '[locale]/@modal/default.tsx',
])
const urls: RouteUrls = {
  toRoute: (pathname) => pathname.replace('/ueber-uns', '/about'),
  toUrl: (pathname) => pathname.replace('/about', '/ueber-uns'),
}
const matcher = matchUrls(createMatcher(tree), urls)

test('routes match the path to which a URL is mapped', () => {
  expect(matcher.match('/de/ueber-uns')).toMatchObject({
    pattern: '/[locale]/about',
    params: { locale: 'de' },
    interceptedFrom: false,
  })
  expect(matcher.match('/de/nothing')).toBeNull()
})

test('the page on the screen is mapped, too, so that interceptions work', () => {
  expect(matcher.match('/de/ueber-uns', { from: '/de' })?.interceptedFrom).toBe(true)
  expect(matcher.match('/de/ueber-uns', { from: '/de/ueber-uns' })?.interceptedFrom).toBe(false)
})

test('the screen for an unknown URL has the params of the mapped path', () => {
  expect(JSON.stringify(matcher.matchNotFound('/de/ueber-uns/x'))).toContain('{"locale":"de"}')
})
