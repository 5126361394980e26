import { expect, test } from 'vitest'
import { generateApp } from './generateApp.ts'
import { isAllowedUpstream } from './ruleSources.ts'

const ports = { whole: 40001, strict: 40002 }
const apps = Array.from({ length: 40 }, (_, index) =>
  generateApp(7, index % 2 === 0 ? 'core' : 'next', index, ports),
)

test('an app depends only on its seed and index', () => {
  expect(generateApp(7, 'next', 3, ports)).toEqual({ ...apps[3], map: expect.anything() })
  expect(generateApp(8, 'next', 3, ports).files).not.toEqual(apps[3]?.files)
})

test('a guarded text occurs in only one file', () => {
  for (const { files } of apps) {
    const texts = Object.values(files).flatMap((text) => [...new Set(text.match(/GUARDED_\w+/g))])
    expect(texts).toEqual([...new Set(texts)])
    expect(texts.length).toBeGreaterThan(5)
  }
})

test('an app stays small', () => {
  for (const { files } of apps) {
    const routes = Object.keys(files).filter((file) => /\/(?:page|route)\.tsx?$/.test(file))
    expect(routes.length).toBeLessThanOrEqual(34)
  }
})

// Each of these combinations once got past a guard, so a few runs must contain an app with it.
test.each([
  ['a page inside of a guarded folder for a URL outside', /@modal\/\(\.\.+\).*photo\/\[id\]/],
  ['the same from the root', /@modal\/\(\.\.\.\)photo\/\[id\]/],
  ['a page inside for a URL inside', /@modal\/\(\.\)item\/\[id\]/],
  ['a public page that opens a guarded one', /feed\/@modal\/\(\.\.\.\).*item\/\[id\]/],
  ['a second slot', /@side\/page/],
  ['a file of public/ below a guard', /^public\/.*report\.txt$/],
  ['a partial page', /\/partial\/page/],
  ['a page that is cached', /\/kept\/page/],
  ['a part that is cached', /\/cached\/page/],
  ['a route handler', /\/route\/route/],
])('some apps have %s', (_, pattern) => {
  const having = apps.filter(({ files }) => Object.keys(files).some((file) => pattern.test(file)))
  expect(having.length).toBeGreaterThan(3)
})

test.each([
  ['/u1/users/1', true],
  ['/u1/users/1?id=1', true],
  ['/u2/home?sub=1', true],
  ['/u3/a/b', true],
  ['/u1/secret', false],
  ['/u1/users/a/b', true],
  ['/u1/users/a/../../secret', false],
  ['/u1/users/%2e%2e/secret', false],
  ['/latest?x=/u2/home', false],
  ['/u1/users/x?inj=1?id=1', false],
])('a forwarding rule leads to %s: %s', (path, expected) => {
  expect(isAllowedUpstream(path)).toBe(expected)
})
