import { expect, test } from 'vitest'
import { toServerRequest } from '../../http/web.ts'
import { runRouteHandler } from './routeHandler.ts'
import { createScope } from './scope.ts'

const screen = () => {
  throw new Error('The handler returned no response.')
}

const origin = 'https://site.test'

/** Runs a route handler. Returns the reason why its response depends on the request. */
async function reasonOf(run: (request: Request) => unknown): Promise<string | null> {
  const request = toServerRequest(new Request(`${origin}/a?b=1`, { headers: { 'x-a': '1' } }))
  const url = { pathname: '/a', search: '?b=1' }
  const scope = createScope({ request, url, phase: 'route-handler', onAfterError: () => '' })
  const answerJson = (web: Request) => Response.json(run(web) ?? null)
  const module = { GET: answerJson }
  const answer = await runRouteHandler({ module, match: { params: {} }, scope, request, screen })
  expect(answer.status).toBe(200)
  return scope.usage.reason
}

test.each<[string, (request: Request) => unknown]>([
  ['its headers', (request) => request.headers.get('x-a')],
  ['the headers of a clone', (request) => request.clone().headers.get('x-a')],
])('reading %s makes the response depend on the request', async (_, run) => {
  expect(await reasonOf(run)).toBe('request.headers')
})

test('reading URL, method and signal does not make the response depend on the request', async () => {
  const run = ({ url, method, signal }: Request) => [url, method, signal.aborted]
  expect(await reasonOf(run)).toBe(null)
})
