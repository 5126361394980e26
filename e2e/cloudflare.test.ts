import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createStateClient, createStateJournal } from '@waymark/cloudflare/worker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actionId } from './harness/actionId.ts'
import { buildApp } from './harness/appFolder.ts'
import { type CloudflareServer, startCloudflare } from './harness/cloudflarePlatform.ts'

// Tests what only Cloudflare has: several isolates with shared state, and assets in front of the
// worker. hosts.test.ts tests what all hosts have in common.

const actions = `'use server'
import { log } from './log.ts'

export async function count(clicks: number): Promise<number> {
  log.push('ran ' + clicks)
  await new Promise((resolve) => setTimeout(resolve, 300))
  return clicks + Math.random()
}

export async function draw(): Promise<number> {
  return 0
}

export async function remember(): Promise<void> {}
`

const config = `import { cloudflare } from '@waymark/cloudflare'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark({ adapter: cloudflare() })] }
`

const secret = 'a secret for the tests of Cloudflare'

let root = ''
beforeAll(async () => {
  const files = { 'app/_lib/actions.ts': actions, 'vite.config.ts': config }
  root = await buildApp({ app: 'conformance', files })
})

const textOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).text()
const renderedIn = (text: string) => /rendered (0\.\d+)/.exec(text)?.[1]
const rendered = async (url: string) => renderedIn(await textOf(url))
const built = (file: string) => readFileSync(join(root, '.waymark/prerendered', file), 'utf8')

describe.each([0, 2_000])('two isolates, with values of KV that are %s ms old', (kvDelayMs) => {
  let server: CloudflareServer
  let one = ''
  let two = ''
  beforeAll(async () => {
    server = await startCloudflare(root, {
      isolates: 2,
      kvDelayMs,
      env: { WAYMARK_SECRET: secret },
    })
    ;[one, two = ''] = server.origins
  })
  afterAll(() => server.end())

  test('have no memory in common', async () => {
    await fetch(`${one}/api`, { method: 'POST', body: 'only here' })
    await expect.poll(() => textOf(`${one}/api`)).toContain('after only here')
    expect(await textOf(`${two}/api`)).not.toContain('after only here')
  })

  test('learn of an invalidation in the other one', async () => {
    const ofBuild = renderedIn(built('tagged.html'))
    expect([await rendered(`${one}/tagged`), await rendered(`${two}/tagged`)]).toEqual([
      ofBuild,
      ofBuild,
    ])
    const posted = await fetch(`${one}/api?tag=prices`, { method: 'POST', body: 'a' })
    expect(posted.status).toBe(201)
    // The limits are below 5 s, after which the lock of an isolate that was cut off is free.
    const within = { timeout: 4_000 }
    await expect.poll(() => rendered(`${two}/tagged`), within).not.toBe(ofBuild)
    await expect.poll(() => rendered(`${one}/tagged`), within).not.toBe(ofBuild)
    // While KV doesn't return a page yet, each isolate renders its own.
    if (kvDelayMs > 0) return
    const both = async () => [await rendered(`${one}/tagged`), await rendered(`${two}/tagged`)]
    await expect.poll(async () => new Set(await both()).size, within).toBe(1)
    expect(server.kvKeys()).toContainEqual(expect.stringMatching(/^entry:page:.+:\/tagged$/))
  })

  test('run an action with one key only once', async () => {
    const id = actionId({ root }, 'count')
    const headers = {
      'waymark-action': id,
      'waymark-idempotency-key': `once-${kvDelayMs}-0123456789`,
      'sec-fetch-site': 'same-origin',
    }
    const call = (origin: string) => fetch(origin, { method: 'POST', headers, body: '[7]' })
    const responses = await Promise.all([one, two, one, two].map(call))
    const texts = await Promise.all(responses.map((response) => response.text()))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(texts).size).toBe(1)
    expect(await (await call(two)).text()).toBe(texts[0])
    const logs = [await textOf(`${one}/api`), await textOf(`${two}/api`)].join('')
    expect(logs.match(/ran 7/g)).toHaveLength(1)
  })

  test('write errors to one journal', async () => {
    const call = createStateClient(server.state)
    const journal = createStateJournal({ call })
    const before = (await journal.list()).length
    for (const origin of [one, two]) {
      await textOf(`${origin}/broken`, { headers: { accept: 'text/html' } })
    }
    await expect.poll(async () => (await journal.list()).length).toBe(before + 2)
    const [latest] = await journal.list()
    expect(latest).toMatchObject({ message: 'secret of the page', route: '/broken' })
  })
})

describe('the assets', () => {
  let server: CloudflareServer
  beforeAll(async () => {
    server = await startCloudflare(root, { env: { WAYMARK_SECRET: secret } })
  })
  afterAll(() => server.end())

  test('that only the worker may read are closed to clients', async () => {
    const [origin] = server.origins
    const folder = join(root, '.cloudflare/output/v1/workers/default/assets/_waymark/build')
    const names = readdirSync(folder)
    const vault = renderedIn(built('vault.html'))
    const contents = names.map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(contents.filter((text) => renderedIn(text) === vault).length).toBeGreaterThan(0)
    for (const name of names) {
      for (const path of [
        `/_waymark/build/${name}`,
        `/_waymark/assets/../build/${name}`,
        `/_waymark/assets/..%2fbuild%2f${name}`,
        `/_waymark/assets/%2e%2e/build/${name}`,
        `/%5fwaymark/build/${name}`,
        `//_waymark/build/${name}`,
      ]) {
        const response = await fetch(`${origin}${path}`)
        expect([path, response.status]).toEqual([path, 404])
        expect(renderedIn(await response.text())).toBeUndefined()
      }
    }
  })

  test('are sent with the headers of the build, without running the worker', async () => {
    const [origin] = server.origins
    const robots = await fetch(`${origin}/robots.txt`)
    expect(robots.headers.get('x-content-type-options')).toBe('nosniff')
    // The worker's own tags have another form.
    expect(robots.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/)
  })
})

test('a worker with a short secret fails when it starts', async () => {
  const starting = startCloudflare(root, { env: { WAYMARK_SECRET: 'short' } })
  await expect(starting).rejects.toThrow('ACTION_SECRET')
})
