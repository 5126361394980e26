import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { rawRequest } from './harness/rawRequest.ts'

type Event = Readonly<Record<'type' | 'side' | 'state' | 'outcome', string>>
type Arrival = { readonly events: readonly Event[] }

const endpoint = '/_waymark/events'
const files = {
  'app/page.tsx': `import { Call } from './call'
import { fail } from './actions'
export const dynamic = 'force-dynamic'
export default function Page() {
  return <main><h1>Home</h1><a href="/slow?token=secret">Slow</a> <a href="/broken">Broken</a>
    <Call run={fail} /></main>
}`,
  'app/call.tsx': `'use client'
import { useState } from 'react'
export function Call({ run }: { run: () => Promise<void> }) {
  const [said, say] = useState('')
  return <button onClick={() => run().catch(() => say('caught'))}>Act {said}</button>
}`,
  'app/actions.ts': `'use server'
export async function fail() { throw new Error('the action has failed') }`,
  'app/slow/page.tsx': `import { cached } from 'waymark/server'
const read = cached(async () => {
  await new Promise((resolve) => setTimeout(resolve, 400))
  return 'Slow'
}, { key: 'slow-read' })
export default async function Page({ searchParams }: { searchParams: Promise<object> }) {
  await searchParams
  return <h1>{await read()}</h1>
}`,
  'app/broken/page.tsx': `export const dynamic = 'force-dynamic'
export default function Page() { throw new Error('the page is broken') }`,
}

describeModes('events', { app: 'basic', files }, (served) => {
  const events = async (): Promise<readonly Event[]> => {
    const response = await served.fetch(endpoint)
    return ((await response.json()) as { events: Event[] }).events
  }
  const arrivals = async (): Promise<readonly Arrival[]> => {
    const params = { name: 'arrivals', arguments: {} }
    const response = await served.fetch('/_waymark/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    return JSON.parse((await response.json()).result.content[0].text)
  }

  test('report loads in a browser, and what their requests waited for', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const { page } = await openPage(served.app)
    await page.goto(served.url('/'))
    await hydrated(page)
    const link = page.getByRole('link', { name: 'Slow' })
    await link.hover()
    const isPrefetched = ({ type, state }: Event) => type === 'prefetch' && state === 'fetch'
    await expect.poll(async () => (await events()).some(isPrefetched)).toBe(true)
    await link.click()
    await page.getByRole('heading', { name: 'Slow' }).waitFor()
    await expect
      .poll(async () => (await arrivals())[0])
      .toMatchObject({
        kind: 'push',
        outcome: 'arrived',
        isPrefetched: true,
        url: expect.stringMatching(/\/slow\?token=…$/),
      })
    const [miss] = (await events()).filter(({ type }) => type === 'cache')
    expect(miss).toMatchObject({ id: expect.any(String), result: 'miss', side: 'server' })
    const all = await events()
    expect(JSON.stringify(all)).not.toContain('secret')

    // Open the same page without its prefetched data, which is cached by now.
    await page.goto(served.url('/slow'))
    await expect
      .poll(async () => (await arrivals())[0])
      .toMatchObject({
        kind: 'document',
        outcome: 'arrived',
        status: 200,
        timing: { total: expect.any(Number) },
        events: expect.arrayContaining([
          expect.objectContaining({ side: 'browser', state: 'idle' }),
        ]),
      })
    const [latest] = await arrivals()
    const types = latest?.events.map(({ type, side }) => `${side} ${type}`) ?? []
    const order = ['request', 'match', 'cache', 'step', 'status'].map((type) => `server ${type}`)
    expect(types.filter((type, at) => order.includes(type) && types.indexOf(type) === at)).toEqual([
      'server request',
      'server step',
      'server match',
      'server cache',
      'server status',
    ])
  })

  test('report a failed action and a broken page with their digests', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const { page } = await openPage(served.app)
    await page.goto(served.url('/'))
    await hydrated(page)
    await page.getByRole('button', { name: 'Act' }).click()
    await page.getByText('caught').waitFor()
    const outcomes = async () =>
      (await events()).flatMap((event) =>
        event.type === 'action' ? [`${event.side} ${event.outcome}`] : [],
      )
    await expect
      .poll(async () => (await outcomes()).slice(-3))
      .toEqual(['browser null', 'server thrown', 'browser failed'])
    const response = await served.fetch('/broken')
    const digest = response.headers.get('x-waymark-digest')
    await response.text()
    expect(await events()).toContainEqual(
      expect.objectContaining({ type: 'error', digest, side: 'server' }),
    )
    expect(JSON.stringify(await events())).not.toContain('the page is broken')
  })

  test('are only for this machine, as JSON and as they happen', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const { last } = (await (await served.fetch(endpoint)).json()) as { last: number }
    const ended = new AbortController()
    const stream = await served.fetch(`${endpoint}?since=${last}`, {
      headers: { accept: 'text/event-stream' },
      signal: ended.signal,
    })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    await served.fetch('/').then((response) => response.text())
    let text = ''
    for await (const piece of stream.body ?? []) {
      text += new TextDecoder().decode(piece as Uint8Array)
      if (text.includes('"type":"status"')) break
    }
    ended.abort()
    expect(text).toContain(`id: ${last + 1}\ndata: {`)
    expect((await served.fetch(endpoint, { method: 'POST' })).status).toBe(405)
    for (const headers of [{ origin: 'http://evil.test' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await served.fetch(endpoint, { headers })).status).toBe(403)
    }
    const rebound = await rawRequest(served.app.origin, endpoint, {
      headers: { host: 'evil.test' },
    })
    expect(rebound.status).toBe(403)
  })

  test('cost nothing in production: no endpoint, and none of their texts', async ({ skip }) => {
    if (served.mode === 'dev') skip()
    expect((await served.fetch(endpoint)).status).toBe(404)
    const built = join(served.app.root, '.waymark')
    const scripts = readdirSync(built, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.m?js$/.test(file))
      .map((file) => [file, readFileSync(join(built, file), 'utf8')] as const)
    expect(scripts.length).toBeGreaterThan(5)
    for (const text of ['waymark:event', 'waymark-load', 'nothing was cached', 'waymarkEvents']) {
      expect(scripts.filter(([, code]) => code.includes(text)).map(([file]) => file)).toEqual([])
    }
  })
})
