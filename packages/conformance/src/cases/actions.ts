import assert from 'node:assert/strict'
import type { TestedHost } from '../testedHost.ts'
import type { CaseGroup } from './case.ts'

export const actions: CaseGroup = {
  title: 'Server actions and request bodies',
  cases: [
    {
      name: 'a form runs its action without JavaScript, and its page shows the result',
      needs: ['requests'],
      async run(host) {
        const form = new FormData()
        form.set(await findFormAction(host), '')
        form.set('note', 'größe & "quotes"')
        const headers = {
          origin: host.origin,
          'sec-fetch-site': 'same-origin',
          accept: 'text/html',
        }
        const posted = await host.send('/form', { method: 'POST', body: form, headers })
        const text = await posted.text()
        assert.ok(posted.status < 400, `The status is ${posted.status}.`)
        const [cookie = ''] = (posted.headers.get('set-cookie') ?? '').split(';')
        assert.match(cookie, /^note=/)
        const page = posted.status >= 300 ? await host.read('/form', { headers: { cookie } }) : text
        assert.match(page, /note größe &amp; &quot;quotes&quot;/)
      },
    },
    {
      name: 'an action can be called from its own site only',
      needs: ['requests'],
      async run(host) {
        const id = await findActionId(host, 'count')
        const called = await callAction(host, id, { 'sec-fetch-site': 'same-origin' }, '[41]')
        assert.equal(called.status, 200)
        assert.match(await called.text(), /51/)
        const forged = await callAction(host, id, { origin: 'https://evil.example' }, '[41]')
        assert.equal(forged.status, 403)
        await forged.body?.cancel()
      },
    },
    {
      name: 'an action with an idempotency key runs once, however often it is sent',
      needs: ['requests', 'sharedState'],
      async run(host) {
        const id = await findActionId(host, 'draw')
        const key = `conformance-${crypto.randomUUID()}`
        const headers = { 'sec-fetch-site': 'same-origin', 'waymark-idempotency-key': key }
        const call = async () => {
          const response = await callAction(host, id, headers, '[]', '/form')
          return { status: response.status, text: await response.text() }
        }
        const together = await Promise.all(Array.from({ length: 20 }, call))
        const later = await call()
        const numbers = new Set(
          [...together, later]
            .filter(({ status }) => status === 200)
            .map(({ text }) => /0\.\d{5,}/.exec(text)?.[0]),
        )
        assert.equal(later.status, 200)
        assert.equal(numbers.size, 1, `The action ran ${numbers.size} times.`)
      },
    },
    {
      name: 'a body of 1 MB arrives unchanged',
      needs: ['requests'],
      async run({ send }) {
        const body = Uint8Array.from({ length: 1_000_000 }, (_, at) => at % 251)
        const sum = body.reduce((total, each) => total + each, 0)
        const response = await send('/upload', { method: 'POST', body })
        assert.deepEqual(await response.json(), { length: body.length, sum })
      },
    },
    {
      name: 'a method that a page does not have gets a 405',
      needs: ['requests'],
      async run({ send }) {
        const response = await send('/about', { method: 'DELETE' })
        await response.body?.cancel()
        assert.equal(response.status, 405)
      },
    },
  ],
}

/** Returns the name of the hidden field that names the action of a form. */
async function findFormAction({ read }: TestedHost): Promise<string> {
  const page = await read('/form', { headers: { accept: 'text/html' } })
  const name = /name="(\$ACTION_ID_[^"]+)"/.exec(page)?.[1]
  if (name === undefined) throw new Error('The page /form has no form with an action.')
  return name
}

/** Finds an action's id in the scripts of the pages that call the action. */
async function findActionId(host: TestedHost, name: string): Promise<string> {
  const waiting = [await host.read('/'), await host.read('/form')]
  const visited = new Set<string>()
  for (const text of waiting) {
    const id = new RegExp(`["'\`]([^"'\`\\s\\\\]+#${name})[\\\\"'\`]`).exec(text)?.[1]
    if (id !== undefined) return id
    for (const [file] of text.matchAll(/[\w.-]+\.js\b/g)) {
      const script = `/_waymark/assets/${file}`
      if (visited.size === visited.add(script).size) continue
      waiting.push(await host.read(script))
    }
  }
  throw new Error(`No script of the app has the action ${name}.`)
}

function callAction(
  { send }: TestedHost,
  id: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  page = '/',
): Promise<Response> {
  return send(page, { method: 'POST', headers: { 'waymark-action': id, ...headers }, body })
}
