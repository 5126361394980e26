import { expect, test } from 'vitest'
import { createProxy } from './proxy.ts'
import { NextResponse } from './server.ts'

const rules = {
  headers: [],
  redirects: [],
  rewrites: { beforeFiles: [], afterFiles: [], fallback: [] },
}
const origin = 'http://app.test:3000'

test.each([
  [`${origin}/de?a=1#b`, '/de?a=1#b'],
  [`${origin}//evil.test`, `${origin}//evil.test`],
  ['http://other.test/de', 'http://other.test/de'],
  ['https://app.test:3000/de', 'https://app.test:3000/de'],
])('a redirect to %s has the location %s', async (to, location) => {
  const { proxy } = createProxy({ default: () => NextResponse.redirect(to, 308) }, rules, [])
  const response = await proxy(new Request(`${origin}/`))
  if (!(response instanceof Response)) throw new Error('no response')
  expect([response.status, response.headers.get('location')]).toEqual([308, location])
})
