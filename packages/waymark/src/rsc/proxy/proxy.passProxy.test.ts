import { expect, test } from 'vitest'
import type { HandlerResponse } from '../../http/response.ts'
import { toServerRequest } from '../../http/web.ts'
import { createExchange } from '../request/exchange.ts'
import { createScope } from '../request/scope.ts'
import { passProxy } from './proxy.ts'

const origin = 'https://site.test'

/** Runs a proxy.ts that returns a response. */
async function passProxyThatResponds(kind: 'document' | 'data', response: HandlerResponse) {
  const address = { kind, pathname: '/a', search: '' }
  const request = toServerRequest(new Request(`${origin}/a`))
  const scope = createScope({ request, url: address, phase: 'render', onAfterError: () => '' })
  const exchange = createExchange({ request, address, match: undefined, scope })
  return passProxy(exchange, {
    proxy: {
      matches: () => true,
      matchesFile: () => false,
      respondOutside: () => null,
      decide: async () => ({ kind: 'response', response }),
    },
    buildId: 'b1',
  })
}

async function locationFor(kind: 'document' | 'data', location: string): Promise<string> {
  const headers: [string, string][] = [
    ['Location', location],
    ['x-proxied', '1'],
  ]
  const response = await passProxyThatResponds(kind, { status: 307, headers, body: null })
  expect(response?.headers).toContainEqual(['x-proxied', '1'])
  return new Headers(response?.headers).get('location') ?? ''
}

test.each([
  ['/b?c=1', '/_waymark/data/b.rsc?c=1'],
  // The form of a URL that Response.redirect(new URL('/b', request.url)) writes.
  [`${origin}/b`, '/_waymark/data/b.rsc'],
  [origin, '/_waymark/data.rsc'],
  // A redirect with a hash is left to the browser.
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
  'a response of proxy.ts to a request for %s has the waymark-document header %s',
  async (kind, expected) => {
    const response = await passProxyThatResponds(kind, { status: 403, headers: [], body: 'no' })
    expect(response).toMatchObject({ status: 403, body: 'no' })
    expect(new Headers(response?.headers).get('waymark-document')).toBe(expected)
  },
)
