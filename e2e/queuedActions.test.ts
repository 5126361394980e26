import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { actionId } from './harness/actionId.ts'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { type BuildServer, startBuild } from './harness/startBuild.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
// After this time, the stored response and the leases of a killed process have expired.
const laterMs = 11 * minuteMs
const alice = { cookie: 'session=alice' }

let root = ''
let ledger = ''
const ids: Record<string, string> = {}

beforeAll(async () => {
  root = copyApp({ app: 'queued' })
  ledger = `${root}-ledger.jsonl`
  await build()
  for (const name of ['order', 'validated', 'gone']) ids[name] = actionId({ root }, name)
})
afterAll(() => {
  for (const path of [root, ledger]) rmSync(path, { recursive: true, force: true })
})

async function build(): Promise<void> {
  const { exitCode, output } = await runWaymark(['build'], root)
  expect(exitCode, output).toBe(0)
}

/** Starts a server whose clock is ahead by `shiftMs` milliseconds. */
async function start(shiftMs = 0): Promise<BuildServer> {
  const clock = new URL('./harness/shiftedClock.mjs', import.meta.url).href
  const server = await startBuild(root, {
    LEDGER: ledger,
    SHIFT_MS: String(shiftMs),
    NODE_OPTIONS: `--import ${clock}`,
  })
  onTestFinished(() => (server.exitCode() === null ? server.kill() : undefined))
  return server
}

type Call = {
  readonly key: string
  readonly what: string
  readonly end: string
  readonly path: string
  readonly action: string
  readonly headers: Readonly<Record<string, string>>
}

/** Creates a call with the headers and the body that the outbox stores and repeats. */
function newCall(changes: Partial<Call> = {}): Call {
  const key = randomUUID()
  const call = { key, what: key, end: 'returns', path: '/', action: 'order', headers: alice }
  return { ...call, ...changes }
}

function post({ origin }: BuildServer, call: Call, headers: Record<string, string> = {}) {
  return fetch(origin + call.path, {
    method: 'POST',
    body: JSON.stringify(call.action === 'order' ? [call.what, call.end] : [call.what]),
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      'sec-fetch-site': 'same-origin',
      'waymark-action': ids[call.action] ?? '',
      'waymark-idempotency-key': call.key,
      'waymark-queued': '1',
      ...call.headers,
      ...headers,
    },
  })
}

/**
 * Sends a call.
 * @returns the status, with the code of a refusal, or with `replayed` for a stored response
 */
async function send(...sent: Parameters<typeof post>): Promise<string> {
  const response = await post(...sent)
  const text = await response.text()
  const code = /"kind":"refused","code":"([\w-]+)"/.exec(text)?.[1]
  const replayed = response.headers.has('waymark-replayed') ? 'replayed' : undefined
  return [response.status, code ?? replayed].filter(Boolean).join(' ')
}

type Run = { readonly what: string; readonly build: string; readonly key: string | null }

async function runsOf(what: string): Promise<Run[]> {
  // Wait, so that a call that wrongly runs at once is noticed.
  await sleep(50)
  const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n') : []
  return lines
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Run)
    .filter((run) => run.what === what)
}

describe('a queued call', () => {
  test('runs once over two processes, a kill -9 of both, and more than a week', async () => {
    const [one, two] = await Promise.all([start(), start()])
    const call = newCall()
    const both = await Promise.all([send(one, call), send(two, call)])
    expect(both.sort()).toEqual(['200', '200 replayed'])
    await Promise.all([one.kill(), two.kill()])
    for (const [shiftMs, expected] of [
      [0, '200 replayed'],
      [laterMs, '409 response-gone'],
      [dayMs, '409 response-gone'],
      [8 * dayMs - minuteMs, '409 response-gone'],
    ] as const) {
      const server = await start(shiftMs)
      // Wait for the cleanup that each process does when it starts.
      await sleep(1_500)
      expect([shiftMs, await send(server, call)]).toEqual([shiftMs, expected])
      await server.kill()
    }
    expect(await runsOf(call.what)).toEqual([{ what: call.what, build: 'A', key: call.key }])
    expect(await send(await start(8 * dayMs + minuteMs), call)).toBe('200')
    expect(await runsOf(call.what)).toHaveLength(2)
  })

  test('is recorded with any outcome and for any client; an ordinary or invalid call is not', async () => {
    const first = await start()
    const ended: readonly (readonly [status: string, call: Call])[] = [
      ['200', newCall()],
      ['401', newCall({ end: 'signs in' })],
      ['500', newCall({ end: 'fails' })],
    ]
    const ordinary = newCall()
    const invalid = newCall({ action: 'validated' })
    expect(await send(first, invalid)).toBe('422')
    for (const [status, call] of ended) expect(await send(first, call)).toBe(status)
    expect(await send(first, ordinary, { 'waymark-queued': '0' })).toBe('200')
    await first.kill()
    const later = await start(laterMs)
    for (const [status, call] of ended) {
      for (const cookie of ['', 'session=bob', 'session=renewed']) {
        const response = await post(later, call, { cookie })
        const text = await response.text()
        expect([response.status, text]).toEqual([409, expect.stringContaining('other-credentials')])
        expect(text).not.toContain(call.what)
      }
      expect(await send(later, call)).toBe('409 response-gone')
      expect(await send(later, { ...call, what: `not ${call.what}` })).toBe('409 key-reused')
      expect(await runsOf(call.what)).toHaveLength(1)
      // Send the call with a new key, like a client that has received the complete response of a
      // failed call.
      expect(await send(later, { ...call, key: randomUUID() })).toBe(status)
      expect(await runsOf(call.what)).toHaveLength(2)
    }
    expect(await send(later, ordinary, { 'waymark-queued': '0' })).toBe('200')
    expect(await runsOf(ordinary.what)).toHaveLength(2)
    // An invalid call has no effect, so the server returns its errors again, and the person's text
    // isn't lost.
    expect(await send(later, invalid)).toBe('422')
  })

  test('is recorded before its response is complete, so a kill in the middle causes no second run', async () => {
    const first = await start()
    const call = newCall({ end: 'streams' })
    const response = await post(first, call)
    expect(response.status).toBe(200)
    const broken = response.text().catch(() => 'cut')
    await first.kill()
    expect(await broken).toBe('cut')
    expect(await send(await start(minuteMs), call)).toBe('409 response-gone')
    expect(await runsOf(call.what)).toHaveLength(1)
  })

  test('whose process died between its effect and the record runs again, with the same key', async () => {
    const first = await start()
    const call = newCall({ end: 'dies' })
    await expect(send(first, call)).rejects.toThrow()
    const again = await start(minuteMs)
    await expect(send(again, call)).rejects.toThrow()
    const runs = await runsOf(call.what)
    expect(runs.map(({ key }) => key)).toEqual([call.key, call.key])
  })

  test('that the guards refuse is not recorded: after a sign-in it runs, with its key', async () => {
    const server = await start()
    const call = newCall({ path: '/private', headers: {} })
    for (const _ of ['first', 'again']) expect(await send(server, call)).toBe('401')
    expect(await runsOf(call.what)).toEqual([])
    const signedIn = { ...call, headers: alice }
    expect(await send(server, signedIn)).toBe('200')
    expect(await send(server, signedIn)).toBe('200 replayed')
    expect(await send(server, call)).toBe('401')
    expect(await runsOf(call.what)).toHaveLength(1)
  })

  test('is found by the next build; an action that the next build lacks is unknown', async () => {
    const before = await start()
    const order = newCall()
    const gone = newCall({ action: 'gone' })
    expect([await send(before, order), await send(before, gone)]).toEqual(['200', '200'])
    await before.kill()
    writeFileSync(join(root, 'app/_lib/build.ts'), "export const build = 'B'\n")
    writeFileSync(
      join(root, 'app/_lib/gone.ts'),
      "'use server'\n\nexport async function other() {}\n",
    )
    const orders = join(root, 'app/_lib/orders.tsx')
    writeFileSync(
      orders,
      readFileSync(orders, 'utf8').replaceAll('gone()', 'other()').replace('{ gone }', '{ other }'),
    )
    await build()
    const after = await start(laterMs)
    expect(await send(after, order)).toBe('409 response-gone')
    expect(await send(after, gone)).toBe('409 unknown')
    expect(await send(after, { ...order, key: randomUUID() })).toBe('200')
    expect((await runsOf(order.what)).map(({ build }) => build)).toEqual(['A', 'B'])
  })
})

describe('the key of a form without JavaScript', () => {
  test('is different for each submission, and the same for its repetitions', async () => {
    const server = await start()
    const html = await (await fetch(server.origin)).text()
    const fields = new FormData()
    for (const [input] of html.matchAll(/<input [^>]*type="hidden"[^>]*>/g)) {
      const read = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1] ?? ''
      fields.set(read('name'), read('value'))
    }
    const sent = fields.get('$ACTION_IDEMPOTENCY_KEY')
    const runs: Run[] = []
    for (const what of [randomUUID(), randomUUID()]) {
      fields.set('what', what)
      for (const _ of ['first', 'again']) {
        const headers = { 'sec-fetch-site': 'same-origin' }
        await (await fetch(server.origin, { method: 'POST', body: fields, headers })).text()
      }
      runs.push(...(await runsOf(what)))
    }
    expect(sent).toMatch(/^[\w-]{16,64}$/)
    expect(runs).toHaveLength(2)
    const keys = runs.map(({ key }) => key)
    for (const key of keys) expect(key).toMatch(/^[\w-]{16,64}$/)
    expect(new Set([sent, ...keys]).size).toBe(3)
  })
})
