import { beforeAll, expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const admin = { cookie: 'role=admin' }

describeModes('actions that a page reaches', { app: 'actionsReach' }, (served) => {
  let ids: Ids

  beforeAll(async () => {
    ids = await idsOf(served)
  })

  test.each(['/', '/barrel', '/named', '/namespace', '/client'])(
    'on %s are those that it imports by name, and no others in the file',
    async (path) => {
      expect(await post(served, path, ids.subscribe)).toEqual([200, ['subscribe']])
      // An admin may run the action on another page, but not on this page.
      expect(await post(served, path, ids.deleteUser, admin)).toEqual([409, []])
      expect(await postForm(served, path, ids.deleteUser, admin)).toEqual([409, []])
    },
  )

  test('with import() are all of the file', async () => {
    expect(await post(served, '/later', ids.subscribe)).toEqual([200, ['subscribe']])
    expect(await post(served, '/later', ids.deleteUser)).toEqual([200, ['deleteUser']])
  })

  test('run on the page that imports them, behind its guard', async () => {
    expect(await post(served, '/admin', ids.deleteUser)).toEqual([403, []])
    expect(await post(served, '/admin', ids.deleteUser, admin)).toEqual([200, ['deleteUser']])
    const form = await postForm(served, '/admin', ids.deleteUser, admin)
    expect(form).toEqual([expect.any(Number), ['deleteUser']])
    expect(form[0]).toBeLessThan(400)
    expect(await post(served, '/admin', ids.subscribe, admin)).toEqual([409, []])
  })

  test('include inline actions of an imported component, but not of its neighbour', async () => {
    expect(await post(served, '/inline', ids.greet)).toEqual([200, ['greet']])
    expect(await post(served, '/inline', ids.purge, admin)).toEqual([409, []])
    expect(await post(served, '/admin', ids.purge, admin)).toEqual([200, ['purge']])
  })
})

describeModes('the dev server', { app: 'actionsReach', modes: ['dev'] }, (served) => {
  test('follows an import that changes', async () => {
    const ids = await idsOf(served)
    expect(await post(served, '/barrel', ids.deleteUser)).toEqual([409, []])
    const rename = (from: string, to: string) =>
      served.app.edit('app/barrel/page.tsx', (text) => text.replaceAll(from, to))
    rename('subscribe', 'deleteUser')
    await expect.poll(() => formOf(served, '/barrel')).toContain('#deleteUser')
    expect(await post(served, '/barrel', ids.deleteUser)).toEqual([200, ['deleteUser']])
    expect(await post(served, '/barrel', ids.subscribe)).toEqual([409, []])
    rename('deleteUser', 'subscribe')
    await expect.poll(() => formOf(served, '/barrel')).toContain('#subscribe')
    expect(await post(served, '/barrel', ids.subscribe)).toEqual([200, ['subscribe']])
    expect(await post(served, '/barrel', ids.deleteUser)).toEqual([409, []])
  })

  test('follows a client component that changes in an open page', async () => {
    const ids = await idsOf(served)
    const { page } = await openPage(served.app)
    await page.goto('/client')
    const subscribe = await hydratedElement(page.getByRole('button'))
    await subscribe.click()
    await expect.poll(() => ran(served)).toEqual(['subscribe'])
    expect(await post(served, '/client', ids.deleteUser)).toEqual([409, []])
    served.app.edit('app/_ui/forms.tsx', (text) =>
      text
        .replace('subscribe(null)', 'deleteUser(null)')
        .replace('      Subscribe\n', '      Remove\n'),
    )
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => ran(served)).toEqual(['deleteUser'])
    expect(await post(served, '/client', ids.subscribe)).toEqual([409, []])
  })
})

type Ids = { subscribe: string; deleteUser: string; greet: string; purge: string }

/** Returns the actions' ids from forms that work without a script. Requests each page once. */
async function idsOf(served: Served): Promise<Ids> {
  const pages = ['/', '/admin', '/inline', '/barrel', '/named', '/namespace', '/later', '/client']
  const texts = await Promise.all(pages.map((page) => formOf(served, page)))
  const find = (name: string): string => {
    const id = new RegExp(`\\$ACTION_ID_([^"]+#[^"]*${name})"`).exec(texts.join('\n'))?.[1]
    if (!id) throw new Error(`No action ${name} in the pages.`)
    return id
  }
  await ran(served)
  return {
    subscribe: find('subscribe'),
    deleteUser: find('deleteUser'),
    greet: find('greet'),
    purge: find('purge'),
  }
}

async function formOf(served: Served, path: string): Promise<string> {
  return (await served.fetch(path, { headers: admin })).text()
}

/** @returns the response's status, and the actions that have run */
async function post(served: Served, path: string, id: string, headers = {}) {
  const allHeaders = {
    'waymark-action': id,
    'content-type': 'text/plain;charset=UTF-8',
    ...headers,
  }
  return send(served, path, allHeaders, '[null]')
}

async function postForm(served: Served, path: string, id: string, headers = {}) {
  const body = new FormData()
  body.set(`$ACTION_ID_${id}`, '')
  return send(served, path, { accept: 'text/html', ...headers }, body)
}

async function send(
  served: Served,
  path: string,
  headers: Record<string, string>,
  body: string | FormData,
): Promise<[number, string[]]> {
  const { status } = await served.fetch(path, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    body,
  })
  return [status, await ran(served)]
}

async function ran(served: Served): Promise<string[]> {
  return (await served.fetch('/calls')).json() as Promise<string[]>
}
