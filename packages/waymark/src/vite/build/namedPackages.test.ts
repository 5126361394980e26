import { expect, test } from 'vitest'
import { namedTexts } from './namedPackages.ts'

test.each([
  ["transport({ target: 'a' })"],
  ['load("a")'],
  ["const names = ['b', 'a']"],
  ["const target = isSet ? 'a' : undefined"],
  ["const page = <Logger target='a' />"],
])('%s names a', (code) => {
  expect(namedTexts(code, '/app/page.js')).toContain('a')
})

test.each([
  ["import a from 'a'"],
  ["import 'a'"],
  ["export * from 'a'"],
  ["export { a } from 'a'"],
  ["await import('a')"],
  ["require('a')"],
  ["// load('a')"],
])("%s doesn't name a", (code) => {
  expect(namedTexts(code, '/app/page.js')).not.toContain('a')
})
