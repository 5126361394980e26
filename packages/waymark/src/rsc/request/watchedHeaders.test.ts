import { expect, test } from 'vitest'
import { toServerRequest } from '../../http/web.ts'
import { runRouteHandler } from './routeHandler.ts'
import { createScope } from './scope.ts'

const screen = () => {
  throw new Error('The handler has a response.')
}

const origin = 'https://site.test'

/** Runs a route handler, and tells what made its answer depend on its request. */
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
  ['those of a clone', (request) => request.clone().headers.get('x-a')],
])('that a route handler reads %s is noted', async (_, run) => {
  expect(await reasonOf(run)).toBe('request.headers')
})

test('what it reads of URL, method and signal is not', async () => {
  const run = ({ url, method, signal }: Request) => [url, method, signal.aborted]
  expect(await reasonOf(run)).toBe(null)
})
