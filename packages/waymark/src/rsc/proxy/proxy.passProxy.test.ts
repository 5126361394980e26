import { expect, test } from 'vitest'
import { toServerRequest } from '../../http/web.ts'
import { createScope } from '../request/scope.ts'
import { passProxy } from './proxy.ts'

const seen = { matches: () => true, matchesFile: () => false, respondOutside: () => null }

const origin = 'https://site.test'

async function locationFor(kind: 'document' | 'data', location: string): Promise<string> {
  const read = { kind, pathname: '/a', search: '' }
  const request = toServerRequest(new Request(`${origin}/a`))
  const scope = createScope({ request, url: read, phase: 'render', onAfterError: () => '' })
  const headers: [string, string][] = [
    ['Location', location],
    ['x-kept', '1'],
  ]
  const answer = { status: 307, headers, body: null }
  const passed = await passProxy(read, request, scope, {
    proxy: { ...seen, decide: async () => ({ kind: 'response', response: answer }) },
    buildId: 'b1',
  })
  const given = passed.kind === 'responded' ? passed.response.headers : []
  expect(given).toContainEqual(['x-kept', '1'])
  return new Headers(given).get('location') ?? ''
}

test.each([
  ['/b?c=1', '/_waymark/data/b.rsc?c=1'],
  // What Response.redirect(new URL('/b', request.url)) says.
  [`${origin}/b`, '/_waymark/data/b.rsc'],
  [origin, '/_waymark/data.rsc'],
  // Left to the browser.
  [`${origin}/b#part`, ''],
  ['https://site.test.example/b', ''],
  [`${origin}//b.example`, ''],
  ['https://other.example/b', ''],
])('a redirect of page data to %s leads to %s', async (location, expected) => {
  expect(await locationFor('data', location)).toBe(expected)
  expect(await locationFor('document', location)).toBe(location)
})

test.each([
  ['data', '1'],
  ['document', null],
] as const)(
  'what it answers itself says of %s that the document is to be loaded: %s',
  async (kind, expected) => {
    const read = { kind, pathname: '/a', search: '' }
    const request = toServerRequest(new Request(`${origin}/a`))
    const scope = createScope({ request, url: read, phase: 'render', onAfterError: () => '' })
    const answer = { status: 403, headers: [], body: 'no' }
    const passed = await passProxy(read, request, scope, {
      proxy: { ...seen, decide: async () => ({ kind: 'response', response: answer }) },
      buildId: 'b1',
    })
    const given = passed.kind === 'responded' ? passed.response : answer
    expect([given.status, given.body]).toEqual([403, 'no'])
    expect(new Headers(given.headers).get('waymark-document')).toBe(expected)
  },
)
