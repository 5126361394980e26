import { expect, test } from 'vitest'
import { actionId } from './harness/actionId.ts'
import { cpuMsOf } from './harness/cpuTime.ts'
import { describeModes, type Served } from './harness/describeModes.ts'
import { createRandom, mutate } from './harness/mutations.ts'
import { type RawAnswer, rawRequest } from './harness/rawRequest.ts'

/** A recorded request from a browser. */
type Captured = {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const { env } = process
const runs = Number(env.WAYMARK_FUZZ_RUNS ?? 2000)
const longestRunMs = 120_000 * Math.max(1, runs / 2000)
const atOnce = 8
// A request without data for ten seconds fails. A slower one than this is measured alone.
const slowMs = 2000
const mostCpuMs = 1000
const seed = Number(env.WAYMARK_FUZZ_SEED ?? 20261121)

const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const boundary = 'boundaryOfTheFuzzer'

describeModes('a fuzzer', { app: 'actions', modes: ['production'] }, (served) => {
  test(
    'of page data finds no 5xx, no hang, and no internals of the server',
    async () => {
      const held = { 'waymark-mounted': '/,/other', 'waymark-from': '/', cookie: 'user=ada; a=b' }
      await fuzz(served, [
        { method: 'GET', target: '/_waymark/data.rsc', headers: held, body: '' },
        { method: 'GET', target: '/_waymark/data/other.rsc?a=1', headers: held, body: '' },
        {
          method: 'GET',
          target: '/_waymark/data/state.rsc',
          headers: { ...held, range: 'bytes=0-9' },
          body: '',
        },
        {
          method: 'GET',
          target: '/other',
          headers: { 'accept-language': 'en', accept: '*/*' },
          body: '',
        },
      ])
    },
    longestRunMs,
  )

  test(
    'of calls and forms finds none either',
    async () => {
      await fuzz(served, await captureActions(served))
    },
    longestRunMs,
  )
})

async function fuzz(served: Served, captured: readonly Captured[]): Promise<void> {
  const random = createRandom(seed)
  const requests = Array.from({ length: runs }, (_, index) =>
    mutated(captured[index % captured.length] as Captured, random),
  )
  const waiting = requests.values()
  const slow: Captured[] = []
  const worker = async () => {
    for (const request of waiting) {
      const beganMs = performance.now()
      await expectHarmless(served, request)
      if (performance.now() - beganMs >= slowMs) slow.push(request)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  // The machine may have been busy, so count only the server's own work.
  for (const request of slow) {
    const beforeMs = cpuMsOf(served.app.pid)
    await sent(served, request)
    expect(cpuMsOf(served.app.pid) - beforeMs, JSON.stringify(request)).toBeLessThan(mostCpuMs)
  }
  expect(served.app.exitCode()).toBeNull()
  expect((await served.fetch('/other')).status).toBe(200)
}

/** Changes the target, a header or the body of a request, and leaves the rest valid. */
function mutated(request: Captured, random: () => number): Captured {
  const part = random()
  if (request.body !== '' && part < 0.7) return { ...request, body: mutate(request.body, random) }
  const names = Object.keys(request.headers)
  const name = names[Math.floor(random() * names.length)]
  if (name !== undefined && part < 0.85) {
    const value = mutate(request.headers[name] ?? '', random).replaceAll(/[\0\r\n]/g, '')
    return { ...request, headers: { ...request.headers, [name]: value } }
  }
  const target = mutate(request.target, random).replaceAll(/[\0\r\n ]/g, '')
  return { ...request, target: target.startsWith('/') ? target : `/${target}` }
}

async function expectHarmless(served: Served, request: Captured): Promise<void> {
  const { status, body } = await sent(served, request)
  const requestText = JSON.stringify(request)
  expect([status < 500, requestText]).toEqual([true, requestText])
  expect([tellsOfServer(body, served), requestText]).toEqual([false, requestText])
}

function sent(served: Served, { method, target, headers, body }: Captured): Promise<RawAnswer> {
  return rawRequest(served.app.origin, target, { method, headers, body })
}

function tellsOfServer(body: string, { app }: Served): boolean {
  return body.includes(app.root) || /\bat [^\n]*\.(?:js|ts|tsx):\d+|node_modules\//.test(body)
}

async function captureActions(served: Served): Promise<Captured[]> {
  const call = { ...sameOrigin, 'waymark-action': actionId(served.app, 'echo') }
  const text = { ...call, 'content-type': 'text/plain;charset=UTF-8' }
  const multipart = `multipart/form-data; boundary=${boundary}`
  const parts = [
    ['1', '["$Q2"]'],
    ['2', '[["a",{"b":[1,2,3]}]]'],
    ['0', '["$1","$@1",{"then":"x"},"$D2026-11-21T00:00:00.000Z","$n123"]'],
  ]
  const forms = await Promise.all(
    ['/form', '/state', '/closure'].map(async (target) => ({
      method: 'POST',
      target,
      headers: { ...sameOrigin, 'content-type': multipart },
      body: multipartOf(fieldsOf(await (await served.fetch(target)).text())),
    })),
  )
  return [
    { method: 'POST', target: '/', headers: text, body: '[1,"two",{"three":["$D2026-11-21"]}]' },
    {
      method: 'POST',
      target: '/',
      headers: text,
      body: '[[[["deep"]]],"$undefined","$-Infinity"]',
    },
    {
      method: 'POST',
      target: '/',
      headers: { ...call, 'content-type': multipart },
      body: multipartOf(parts as [string, string][]),
    },
    ...forms,
  ]
}

/** Returns the hidden fields of a page's first form, with a text for its visible field. */
function fieldsOf(html: string): [name: string, value: string][] {
  const form = /<form[^>]*>(.*?)<\/form>/s.exec(html)?.[1] ?? ''
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g)]
  const fields = hidden.map(([, name = '', value = '']): [string, string] => [
    name,
    value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  ])
  expect(fields.length).toBeGreaterThan(0)
  return [...fields, ['text', 'typed'], ['step', '2']]
}

function multipartOf(fields: readonly (readonly [name: string, value: string])[]): string {
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${boundary}--\r\n`
}
