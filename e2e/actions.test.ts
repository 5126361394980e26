import { expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

describeModes('server actions', { app: 'actions' }, (served) => {
  test('a call is answered with its result', async () => {
    const { status, type, body } = await call(served, '/', 'echo', '[1,"two",[3]]')
    expect([status, type]).toEqual([200, 'text/x-component; charset=utf-8'])
    expect(body).toContain('[1,"two",[3]]')
  })

  test('what changes cookies brings the page along', async () => {
    const { status, body, headers } = await call(served, '/', 'login', '["ada"]')
    expect(status).toBe(200)
    expect(headers.getSetCookie().join()).toContain('user=ada')
    expect(body).toContain('welcome ada')
    expect(body).toContain('"id":"user","children":"ada"')
  })

  test('a failure reaches the browser as a digest', async () => {
    const { status, body, headers } = await call(served, '/', 'fail', '[]')
    expect(status).toBe(500)
    const digest = headers.get('x-waymark-digest')
    expect(digest).toMatch(/^[\w-]+$/)
    expect(body).toContain(`"digest":"${digest}"`)
    expect(body).not.toContain('secret plan')
    expect(served.app.logs()).toContain(String(digest))
  })

  test.each([
    ['redirect', 200, '"location":"/other"'],
    ['forbidden', 403, '"status":403'],
    ['not-found', 404, '"status":404'],
  ])('%s', async (kind, status, part) => {
    const answer = await call(served, '/', 'leave', JSON.stringify([kind]))
    expect(answer.status).toBe(status)
    expect(answer.body).toContain(part)
  })

  test('a form without a script runs its action', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/form')
    await page.fill('#text', 'plain')
    await page.click('#save')
    await expect.poll(() => page.textContent('#notes')).toBe('saved plain')
    await page.fill('#text', 'gone')
    await page.click('#leave')
    await page.waitForURL('**/other')
  })

  test('a form with state shows it without a script', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/state')
    await page.fill('#step', '5')
    await page.click('#add')
    await expect.poll(() => page.textContent('#total')).toBe('15')
    await page.click('#add')
    await expect.poll(() => page.textContent('#total')).toBe('16')
  })

  test('a closure keeps its values to itself', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/closure')
    expect(await page.content()).not.toContain('kept-by-the-server')
    await page.fill('#text', 'x')
    await page.click('#keep')
    await expect.poll(() => page.textContent('#notes')).toBe('kept-by-the-server x')
  })
})

async function call(served: Served, path: string, name: string, args: string) {
  const response = await served.fetch(path, {
    method: 'POST',
    headers: {
      'waymark-action': await actionId(served, name),
      'content-type': 'text/plain;charset=UTF-8',
      'sec-fetch-site': 'same-origin',
    },
    body: args,
  })
  const { status, headers } = response
  return { status, headers, type: headers.get('content-type'), body: await response.text() }
}

/** The id of an action, as the browser's modules name it. */
async function actionId(served: Served, name: string): Promise<string> {
  const found = new RegExp(`["'\`]([^"'\`\\s]+#${name})["'\`]`).exec(await clientCode(served))
  if (!found?.[1]) throw new Error(`No action ${name} in the client's code.`)
  return found[1]
}

const codes = new WeakMap<object, Promise<string>>()

function clientCode(served: Served): Promise<string> {
  const known = codes.get(served.app) ?? loadClientCode(served)
  codes.set(served.app, known)
  return known
}

async function loadClientCode(served: Served): Promise<string> {
  if (served.mode === 'dev') {
    const response = await served.fetch('/app/_lib/actions.ts', { headers: { accept: '*/*' } })
    return response.text()
  }
  const { readdirSync, readFileSync } = await import('node:fs')
  const folder = `${served.app.root}/.waymark/client/_waymark/assets`
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  return files.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n')
}
