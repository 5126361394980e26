import { expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { type RawAnswer, rawRequest } from './harness/rawRequest.ts'

const admin = { cookie: 'role=admin' }

describeApp('forged requests to actions', { app: 'actionsBorder' }, (served) => {
  test('a POST to a URL without a route is 405 with Allow, whatever its type', async () => {
    const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']
    for (const type of [...types, 'application/json', 'text/plain', '']) {
      const init = { method: 'POST', headers: { 'content-type': type }, body: 'a=b' }
      const { status, headers } = await served.fetch('/no/such/page', init)
      expect([type, status, headers.get('allow')]).toEqual([type, 405, 'GET, HEAD, OPTIONS'])
    }
  })

  test('a form that names two actions runs neither', async () => {
    const { greet, remove } = await actionIds(served)
    const named = (id: string): Field => ['$ACTION_1:0', `{"id":"${id}","bound":"$@1"}`]
    const bound: Field = ['$ACTION_1:1', '["victim"]']
    for (const ids of [
      [greet, remove],
      [remove, greet],
    ]) {
      const fields: Field[] = [['$ACTION_REF_1', ''], ...ids.map(named), bound]
      expect((await post(served, '/', fields)).status).toBe(400)
    }
    expect((await post(served, '/', [['$ACTION_REF_1', ''], named(remove), bound])).status).toBe(
      409,
    )
    expect(await notes(served)).not.toContainEqual(expect.stringMatching(/^remove/))
    const control = await post(served, '/', [['$ACTION_REF_1', ''], named(greet), bound])
    expect(control.status).toBe(200)
    expect(await notes(served)).toContain('greet string')
  })

  test('a reference in the arguments finds no action', async () => {
    const { use, remove, open, greet } = await actionIds(served)
    const answers: string[] = []
    for (const id of [remove, open, greet, `${remove}Unknown`, 'x#y']) {
      const reference: Field[] = [
        ['1', `{"id":"${id}","bound":"$@2"}`],
        ['2', '["by reference"]'],
      ]
      for (const root of ['[{"trim":"$h1"}]', '[["$h1"]]', '["$h1"]', '["$@3"]']) {
        const promised: Field = ['3', '{"toJSON":"$h1"}']
        const { status, body } = await call(served, use, [['0', root], ...reference, promised])
        answers.push(`${status} ${withoutTimes(body)}`)
      }
    }
    // All responses are identical, so that they don't reveal which ids exist.
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^400 .*"code":"malformed"/s)
    expect(await notes(served)).not.toContainEqual(expect.stringMatching(/^remove|^open/))
  })

  test.each<[string, string, Field[]]>([
    ['a promise that does not come', '["$@9"]', []],
    ['a promise that fails', '["$@1"]', [['1', '[']]],
    ['a promise of a promise that does not come', '["$@1"]', [['1', '{"a":["$@9"]}']]],
    ['a promise of itself', '["$@1"]', [['1', '"$@1"']]],
    ['a stream that does not close', '["$R1"]', [['S1', '"piece"']]],
    ['a stream with a broken piece', '["$R1"]', [...pieces('{'), ['S1', 'C']]],
    ['an async iterable that does not close', '["$X1"]', pieces('1')],
    ['an async iterator that fails', '["$x1"]', [...pieces('"$@9"'), ['S1', 'C']]],
    ['references in a circle', '["$h1"]', [['1', '{"id":"x#y","bound":"$@0"}']]],
  ])('a call with %s is malformed', async (_, root, rows) => {
    const { use, echo } = await actionIds(served)
    const logged = served.app.logs().length
    const calls = [use, echo].map((id) => call(served, id, [['0', root], ...rows]))
    for (const { status, body, headers } of await Promise.all(calls)) {
      expect([status, body]).toEqual([400, expect.stringContaining('"code":"malformed"')])
      expect(headers.get('x-waymark-digest')).toBeNull()
    }
    expect(served.app.logs().slice(logged)).not.toMatch(/error/i)
  })

  test('a call that was sent as text has no rows to wait for', async () => {
    const { echo } = await actionIds(served)
    for (const body of ['["$@9"]', '["\\u0024@9"]', '["$R1"]', '["$\\u00521"]', '["$X1"]']) {
      const answer = await served.fetch('/', {
        method: 'POST',
        headers: {
          'waymark-action': echo,
          'content-type': 'text/plain;charset=UTF-8',
          'sec-fetch-site': 'same-origin',
        },
        body,
      })
      expect([body, answer.status]).toEqual([body, 400])
    }
  })

  test('complete streams and promises are passed to the action', async () => {
    const { use } = await actionIds(served)
    const streamed = await call(served, use, [['0', '["$R1"]'], ...pieces('"a"', '"b"', 'C')])
    expect([streamed.status, streamed.body]).toEqual([200, expect.stringContaining('"ab"')])
    const promised = await call(served, use, [
      ['0', '["$@1"]'],
      ['1', '["x",1]'],
    ])
    expect([promised.status, promised.body]).toEqual([200, expect.stringContaining('["x","1"]')])
  })

  test.each<[string, Field[]]>([
    ['no value', [['$ACTION_1:1', '["$@9"]']]],
    ['a stream that does not close', [['$ACTION_1:1', '["$R2"]']]],
    ['an async iterable that does not close', [['$ACTION_1:1', '["$X2"]']]],
    ['no list', [['$ACTION_1:1', '{"a":1}']]],
    [
      'a reference to its own action, in a circle',
      [
        ['$ACTION_1:1', '["$h2"]'],
        ['$ACTION_1:2', '{"id":"ID","bound":"$@1"}'],
      ],
    ],
  ])('a form whose state has %s is malformed', async (_, rows) => {
    const { keep } = await actionIds(served)
    const fields: Field[] = [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', `{"id":"${keep}","bound":"$@1"}`],
      ...rows.map(([name, value]): Field => [name, value.replace('ID', keep)]),
      ['$ACTION_KEY', 'k0123456789'],
    ]
    const answer = await post(served, '/state', fields)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('x-waymark-digest')).toBeNull()
  })

  test('a form without JavaScript keeps its state', async () => {
    const page = await (await served.fetch('/state')).text()
    const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)]
    const fields = hidden.map(
      ([, name = '', value = '']): Field => [name, value.replaceAll('&quot;', '"')],
    )
    const state = fields.map(([name, value]): Field => [name, value.replace('first', 'second')])
    const answer = await post(served, '/state', state)
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.stringContaining('<output>second</output>'),
    ])
  })

  test('a form whose state never completes is given up', { timeout: 30_000 }, async () => {
    const { wait } = await actionIds(served)
    const answer = await post(served, '/waiting', [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', `{"id":"${wait}","bound":"$@1"}`],
      ['$ACTION_1:1', '[null]'],
      ['$ACTION_KEY', 'k0123456789'],
    ])
    expect(answer.status).toBe(504)
  })

  test('a guard that never decides lets nothing run', { timeout: 30_000 }, async () => {
    const { wait } = await actionIds(served)
    const form: Field[] = [[`$ACTION_ID_${wait}`, '']]
    expect((await post(served, '/undecided', form)).status).toBe(504)
    const called = await call(served, wait, [['0', '[]']], {}, '/undecided')
    expect([called.status, called.body]).toEqual([504, expect.stringContaining('"timeout"')])
    expect((await post(served, '/undecided', form, admin)).status).toBe(200)
  })

  test('an action of a page below an intercepted one is behind proxy.ts', async () => {
    const { remove } = await actionIds(served)
    const over = { 'waymark-from': '/admin' }
    const refused = await call(served, remove, [['0', '["modal"]']], over, '/photo/1')
    expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('"unknown"')])
    expect(refused.headers.get('x-guard')).toBeNull()
    expect(await notes(served)).not.toContain('remove ["modal"]')
    const allowed = await call(
      served,
      remove,
      [['0', '["modal"]']],
      { ...over, ...admin },
      '/photo/1',
    )
    expect(allowed.status).toBe(200)
    expect(await notes(served)).toContain('remove ["modal"]')
  })

  test('an action of an unguarded page below an intercepted one runs', async () => {
    const { open } = await actionIds(served)
    const over = { 'waymark-from': '/area' }
    expect((await call(served, open, [['0', '[]']], over, '/photo/1')).status).toBe(200)
  })

  test('a layout that returns a thenable guards its actions', async () => {
    const { enter } = await actionIds(served)
    const refused = await call(served, enter, [['0', '[]']], {}, '/thenable')
    expect(refused.status).toBe(403)
    expect(await notes(served)).not.toContain('enter')
    const allowed = await call(served, enter, [['0', '[]']], admin, '/thenable')
    expect(allowed.status).toBe(200)
  })

  test('parts are counted by the boundary that separates them', async () => {
    const { greet } = await actionIds(served)
    const many: Field[] = Array.from({ length: 1_500 }, (_, at) => [`f${at}`, ''])
    const body = multipart([['0', '[]'], ...many], 'XXB')
    for (const type of [
      'multipart/form-data; a=";boundary=AAA"; boundary=XXB',
      'multipart/form-data; boundary=AAA, multipart/form-data; boundary=XXB',
      'multipart/form-data; boundary="X\\XB"',
    ]) {
      const answer = await send(served, '/', body, {
        'waymark-action': greet,
        'content-type': type,
      })
      expect([type, answer.status]).toEqual([type, 400])
    }
  })
})

type Field = [name: string, value: string]

function pieces(...values: string[]): Field[] {
  return values.map((value) => ['S1', value])
}

/** Returns the ids of all actions, from the forms of their pages. */
async function actionIds(served: Served): Promise<Record<ActionName, string>> {
  const ids: Record<string, string> = {}
  for (const path of ['/', '/admin', '/area', '/thenable', '/state', '/waiting', '/undecided']) {
    const html = await (await served.fetch(path, { headers: admin })).text()
    const matches = html
      .replaceAll('&quot;', '"')
      .matchAll(/(?:\$ACTION_ID_|"id":")([^"]+#(\w+))"/g)
    for (const [, id = '', name = ''] of matches) ids[name] = id
  }
  return ids as Record<ActionName, string>
}

type ActionName = 'wait' | 'greet' | 'use' | 'echo' | 'keep' | 'remove' | 'open' | 'enter'

async function notes(served: Served): Promise<string[]> {
  return (await served.fetch('/notes')).json() as Promise<string[]>
}

function call(
  served: Served,
  id: string,
  rows: Field[],
  headers: Readonly<Record<string, string>> = {},
  path = '/',
): Promise<RawAnswer> {
  return post(served, path, rows, { 'waymark-action': id, ...headers })
}

function post(
  served: Served,
  path: string,
  fields: Field[],
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const type = { 'content-type': 'multipart/form-data; boundary=border-of-the-test' }
  return send(served, path, multipart(fields, 'border-of-the-test'), { ...type, ...headers })
}

function send(
  served: Served,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<RawAnswer> {
  const sent = { 'sec-fetch-site': 'same-origin', 'x-probe': 'seen', ...headers }
  return rawRequest(served.app.origin, path, { method: 'POST', headers: sent, body })
}

function multipart(fields: Field[], boundary: string): string {
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${boundary}--\r\n`
}

/**
 * Removes times from a response. In development, React writes the time of each row into the row, so
 * the lengths and checksums of frames differ.
 */
function withoutTimes(body: string): string {
  return body.replaceAll(/^(?:[=#]?[\da-f]{8})$/gm, '').replaceAll(/\d+\.\d+/g, '0')
}
