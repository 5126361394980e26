import { expect, test } from 'vitest'
import { generatedFileOf } from './sourceMaps.ts'

const folder = '.waymark'

test.each([
  ['/app/.waymark/rsc/index.js', 'rsc/index.js'],
  ['file:///app/.waymark/rsc/assets/page-a.js', 'rsc/assets/page-a.js'],
  ['file:///my%20app/.waymark/ssr/index.js', 'ssr/index.js'],
  ['C:\\app\\.waymark\\rsc\\index.js', 'rsc/index.js'],
  ['/.waymark/app/.waymark/rsc/index.js', 'rsc/index.js'],
  ['/app/app/page.tsx', null],
  ['node:internal/a', null],
  ['file:///app/.waymark/../secret', null],
  ['/app/.waymark/../secret', null],
  ['/app/.waymark/a/%00', 'a/%00'],
  ['https://x.test/_waymark/assets/a.js', null],
])('on the server, %s is %s', (file, expected) => {
  expect(generatedFileOf(file, { isBrowser: false, folder })).toBe(expected)
})

test.each([
  ['https://x.test/_waymark/assets/a-b.js', 'client/_waymark/assets/a-b.js'],
  ['https://x.test/base/_waymark/assets/a.js', 'client/_waymark/assets/a.js'],
  ['https://x.test/_waymark/assets/..%2f..%2f..%2fetc/passwd', null],
  ['https://x.test/_waymark/assets/..%5c..%5csecret', null],
  ['https://x.test/_waymark/assets/%', null],
  ['https://x.test/other.js', null],
  ['/etc/passwd', null],
  ['file:///app/.waymark/rsc/index.js', null],
])('in a browser, %s is %s', (file, expected) => {
  expect(generatedFileOf(file, { isBrowser: true, folder })).toBe(expected)
})
