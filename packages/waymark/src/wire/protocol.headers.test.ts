import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cacheStatusHeader } from '../builds/cachedPage.ts'
import { clientHeaders, hostileClaims, serverHeaders } from '../shared/testing/hostileClaims.ts'
import { loadHeader } from './trace.ts'

const source = new URL('..', import.meta.url).pathname

/** Headers other than those in which a client reports the pages that it shows. */
const others: Record<string, string> = {
  [loadHeader]: 'names a page load in the timings of the dev server',
  [cacheStatusHeader]: 'is sent by the server, for debugging',
}

const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test|\.d)\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))

test('every waymark header is either a known client header or sent only by the server', () => {
  const declared = texts.flatMap(({ text }) => {
    const matches = text.matchAll(/\b\w*Header\b[^=\n]*= '((?:x-)?waymark-[\w-]+)'/g)
    return [...matches].map(([, name]) => name)
  })
  const listed = [...Object.keys(clientHeaders), ...serverHeaders, ...Object.keys(others)]
  expect([...new Set(declared)].toSorted()).toEqual(listed.toSorted())
})

test('code that reads a header uses its constant, not its literal name', () => {
  const read = /headers\.(?:get|has)\(\s*['"`](?:x-)?waymark-/
  expect(texts.filter(({ text }) => read.test(text)).map(({ file }) => file)).toEqual([])
})

test('every client header is tested with hostile values', () => {
  expect(Object.keys(hostileClaims).toSorted()).toEqual(Object.keys(clientHeaders).toSorted())
})
