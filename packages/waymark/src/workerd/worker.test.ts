import { expect, test } from 'vitest'
import { createWorker } from './worker.ts'

const worker = createWorker({
  handle: async ({ method, target }) => ({
    status: 200,
    headers: [['x-a', 'b']],
    body: `${method} ${target}`,
  }),
  defaultHeaders: [['x-content-type-options', 'nosniff']],
  files: { '/_waymark/assets/a-1.js': 'text/javascript', '/robots.txt': 'text/plain' },
})
const bindings = {
  ASSETS: {
    fetch: async (request: Request) => new Response(`file ${new URL(request.url).pathname}`),
  },
}
const ask = (path: string, init?: RequestInit) =>
  worker.fetch(new Request(`https://a.test${path}`, init), bindings)

test('a file is served with its type, and hashed ones for good', async () => {
  const hashed = await ask('/_waymark/assets/a-1.js?x')
  expect(await hashed.text()).toBe('file /_waymark/assets/a-1.js')
  expect(Object.fromEntries(hashed.headers)).toMatchObject({
    'content-type': 'text/javascript',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect((await ask('/robots.txt')).headers.get('cache-control')).toContain('must-revalidate')
  expect((await ask('/robots.txt', { method: 'POST' })).status).toBe(405)
})

test('an asset that is not there is no page', async () => {
  expect((await ask('/_waymark/assets/b.js')).status).toBe(404)
})

test.each(['/page?a=1', '/constructor', '/__proto__'])('%s is for the handler', async (path) => {
  const answer = await ask(path)
  expect([await answer.text(), answer.headers.get('x-a')]).toEqual([`GET ${path}`, 'b'])
})
