import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'

// Stored responses survive a restart, so a second run with the same keys would get the first run's
// responses.
const run = randomUUID().slice(0, 8)

const alice = { cookie: 'session=alice; theme=dark' }
const others = { bob: { cookie: 'session=bob; theme=dark' }, nobody: {} }

describeApp('a repeated submission', { app: 'repeats' }, (served) => {
  test('of a form gets the stored response only with the same client', async () => {
    const fields = { ...(await fieldsOf(served, '/')), what: `tea in ${served.mode} ${run}` }
    const first = await send(served, '/', fields, alice)
    expect([first.status, first.text]).toEqual([200, expect.stringContaining('alice')])
    expect(first.headers.getSetCookie().join()).toContain('receipt=1')
    for (const headers of Object.values(others)) {
      const refused = await send(served, '/', fields, headers)
      expect([refused.status, refused.text]).toEqual([409, expect.not.stringContaining('alice')])
      expect(refused.headers.getSetCookie()).toEqual([])
    }
    for (const cookie of [alice.cookie, `${alice.cookie}; receipt=1`, `${alice.cookie}; _ga=1`]) {
      const again = await send(served, '/', fields, { cookie })
      expect([again.status, again.headers.get('waymark-replayed')]).toEqual([200, '1'])
      expect(again.text).toBe(first.text)
    }
    expect(await notesOf(served, fields.what)).toEqual([`alice ordered ${fields.what}`])
  })

  test('of a call gets the stored response only with the same client', async () => {
    const what = `coffee in ${served.mode} ${run}`
    const first = await call(served, what, alice)
    expect(first.status).toBe(200)
    for (const headers of Object.values(others)) {
      const refused = await call(served, what, headers)
      expect([refused.status, refused.text]).toEqual([
        409,
        expect.stringContaining('"code":"other-credentials"'),
      ])
      expect(refused.headers.getSetCookie()).toEqual([])
    }
    const again = await call(served, what, { cookie: `${alice.cookie}; receipt=1` })
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(await notesOf(served, what)).toEqual([`alice ordered ${what}`])
  })

  test('of a call with an endless stream is refused in time without running', async () => {
    const { id } = await actionOf(served, '/state', 'mirror')
    const name = `call in ${served.mode}`
    const body = new FormData()
    body.set('_3_name', name)
    body.set('0', '[{"endless":"$R1"},"$K3"]')
    const headers = {
      'waymark-action': id,
      'waymark-idempotency-key': `endless-${served.mode}-${run}-0123456789`,
      'sec-fetch-site': 'same-origin',
    }
    const post = () => served.fetch('/state', { method: 'POST', headers, body })
    for (const _ of ['first', 'again']) {
      const { status, body } = await post()
      await body?.cancel()
      expect(status).toBe(400)
    }
    expect(await notesOf(served, name)).toHaveLength(0)
  })

  test('of a form whose state never completes is refused in time without running', async () => {
    const { fields } = await actionOf(served, '/state', 'mirror')
    const state = Object.keys(fields).find((name) => /^\$ACTION_\d+:1$/.test(name)) as string
    const name = `form in ${served.mode}`
    const sent = { ...fields, [state]: '[{"count":1,"endless":"$X2"}]', name }
    const answer = await send(served, '/state', sent, {})
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('</html>')])
    expect(await notesOf(served, name)).toHaveLength(0)
  })

  test.runIf(served.mode === 'production')(
    'is stored in files that only their owner can read, like the secret',
    async () => {
      const folder = join(served.app.root, '.waymark')
      const store = join(folder, 'cache/v1')
      expect((await call(served, 'for a file', alice)).headers.getSetCookie()).toHaveLength(1)
      // True if a file contains the start of a stored response.
      const hasResponse = (file: string) => readFileSync(file, 'latin1').includes('receipt=1')
      const files = () =>
        readdirSync(join(store, 'leases'), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name))
      await expect.poll(() => files().some(hasResponse)).toBe(true)
      const inStore = readdirSync(store, { recursive: true }).map((name) =>
        join(store, String(name)),
      )
      const secrets = ['secret', 'rsc/__waymark_build.js'].map((name) => join(folder, name))
      expect(inStore.length).toBeGreaterThan(3)
      const modes = [store, ...inStore, ...secrets].flatMap(modesOf)
      expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']))
    },
  )
})

/** @returns an empty list for a temporary file that was renamed since its folder was read */
function modesOf(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  return [`${stats.isDirectory() ? 'folder' : 'file'} ${(stats.mode & 0o777).toString(8)}`]
}

async function notesOf(served: Served, text: string): Promise<string[]> {
  // Wait, so that a submission that wrongly runs at once is noticed.
  await sleep(50)
  const notes = (await (await served.fetch('/notes')).json()) as string[]
  return notes.filter((note) => note.includes(text))
}

/** Returns the hidden fields of a page's form. */
async function fieldsOf(served: Served, path: string): Promise<Record<string, string>> {
  const html = await (await served.fetch(path, { headers: alice })).text()
  const inputs = html.match(/<input [^>]*type="hidden"[^>]*>/g) ?? []
  return Object.fromEntries(inputs.map((input) => [read(input, 'name'), read(input, 'value')]))
}

function read(tag: string, attribute: string): string {
  const value = new RegExp(`\\b${attribute}="([^"]*)"`).exec(tag)?.[1] ?? ''
  return value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** Returns the id of the action of a page's form, and the form's hidden fields. */
async function actionOf(served: Served, path: string, name: string) {
  const fields = await fieldsOf(served, path)
  const id = new RegExp(`[\\w./$-]+#${name}`).exec(JSON.stringify(fields))?.[0] ?? ''
  return { fields, id: id.replace(/^\$ACTION_ID_/, '') }
}

async function send(
  served: Served,
  path: string,
  fields: Readonly<Record<string, string>>,
  addedHeaders: Readonly<Record<string, string>>,
) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html', ...addedHeaders }
  const answer = await served.fetch(path, { method: 'POST', headers, body })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

async function call(served: Served, what: string, addedHeaders: Readonly<Record<string, string>>) {
  const { id } = await actionOf(served, '/', 'order')
  const body = new FormData()
  body.set('_1_what', what)
  body.set('0', '["$K1"]')
  const headers = {
    'waymark-action': id,
    'waymark-idempotency-key': `${what.replaceAll(' ', '-')}-${run}-0123456789`,
    'sec-fetch-site': 'same-origin',
    ...addedHeaders,
  }
  const answer = await served.fetch('/', { method: 'POST', headers, body })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
