import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findFileUrls } from './fileUrlPlugin.ts'

const file = fileURLToPath(import.meta.url)

test.each([
  ["fetch(new URL('./fileUrlPlugin.ts', import.meta.url))", ['fileUrlPlugin.ts']],
  ["const a: URL = new URL('../package.json?a#b', import.meta.url)", ['package.json']],
  ["new URL('./missing.ttf', import.meta.url); new URL('./', import.meta.url)", []],
  ["new URL('/a', import.meta.url); new URL('./server.ts', base); new URL(name)", []],
])('%s names %j', (code, names) => {
  expect(findFileUrls(code, file).map(({ target }) => target.split('/').at(-1))).toEqual(names)
})
