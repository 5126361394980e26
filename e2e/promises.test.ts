import { afterAll, beforeAll, expect, test } from 'vitest'
import { actionId } from './harness/actionId.ts'
import { type App, startApp } from './harness/app.ts'

// Each request must create few promises, because with AsyncLocalStorage, creating and settling a
// promise costs about half a microsecond in total. See docs/decisions/rendering-cost.md.
// The fixture's cache is in memory, so the server creates no promises between requests. The numbers
// are exact on a busy machine, too. Each limit allows two more promises, for other versions of Node.
let app: App

beforeAll(async () => {
  app = await startApp({ app: 'promises', mode: 'production' })
})

afterAll(() => app?.stop())

const requests = 50

async function countPromises(): Promise<number> {
  const response = await fetch(`${app.origin}/count`)
  return ((await response.json()) as { promises: number }).promises
}

/** Returns the number of promises that one request creates, without the measurement's own promises. */
async function promisesOf(send: () => Promise<Response>): Promise<number> {
  const measure = async (times: number) => {
    const before = await countPromises()
    for (let sent = 0; sent < times; sent++) await (await send()).text()
    return (await countPromises()) - before
  }
  await measure(20)
  const ofCounting = await measure(0)
  return ((await measure(requests)) - ofCounting) / requests
}

const get = (path: string) => () => fetch(app.origin + path)

function call() {
  return fetch(app.origin, {
    method: 'POST',
    body: JSON.stringify(['text', { list: [1, 2, 3] }]),
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      'waymark-action': actionId(app, 'echo'),
      'sec-fetch-site': 'same-origin',
    },
  })
}

test.each<[string, number, () => Promise<Response>]>([
  ['a static page', 2, get('/static')],
  ['a URL without a route', 2, get('/nothing/here')],
  ['a static page behind proxy.ts', 15, get('/guarded')],
  ['a page that is rendered', 26, get('/')],
  ['a call of an action', 23, call],
])('%s creates at most %i promises', async (_, atMost, send) => {
  expect(await promisesOf(send)).toBeLessThanOrEqual(atMost)
})
