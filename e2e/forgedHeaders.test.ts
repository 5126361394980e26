import { expect, test } from 'vitest'
import { hostileClaims } from '../packages/waymark/src/shared/testing/hostileClaims.ts'
import { describeApp, type Served } from './harness/describeModes.ts'
import { type GuardedFolder, guardedFiles, guardedFolders } from './harness/guardedFolders.ts'

const folders = Object.keys(guardedFolders) as GuardedFolder[]
const admin = { cookie: 'role=admin' }
const dataOf = (path: string) => `/_waymark/data${path}.rsc`

type ForgedHeaders = Record<string, string>

/**
 * Returns each forged value alone, and together with the header for the page from which a client
 * navigates.
 */
function forgedHeadersFor(folder: string): ForgedHeaders[] {
  const single = Object.entries(hostileClaims).flatMap(([name, of]) =>
    of(folder).map((value): ForgedHeaders => ({ [name]: value })),
  )
  const over = single.map((forged): ForgedHeaders => ({ 'waymark-from': `/${folder}`, ...forged }))
  // Add the user header that only proxy.ts may set, because a client may also forge it.
  return [...single, ...over].map((forged) => ({ ...forged, 'x-user': 'root' }))
}

const call = { 'content-type': 'text/plain;charset=UTF-8', 'sec-fetch-site': 'same-origin' }

function callOf(id: string, forged: ForgedHeaders, body = '[]'): RequestInit {
  return { method: 'POST', body, headers: { ...call, ...forged, 'waymark-action': id } }
}

function formOf(id: string, forged: ForgedHeaders): RequestInit {
  const { 'waymark-action': _, ...headers } = forged
  const body = new URLSearchParams({ [`$ACTION_ID_${id}`]: '' })
  return { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin', ...headers } }
}

/** Returns the ids of a folder's actions, and which of them belongs to the page. */
async function actionsOf(served: Served, path: string): Promise<{ page: string; modal: string }> {
  const html = await (await served.fetch(path, { headers: admin })).text()
  const page = /\$ACTION_ID_([^"]+#\w+)"/.exec(html)?.[1] ?? ''
  expect(page).toContain('#')
  return { page, modal: page.replace('#pageAct', '#modalAct') }
}

const ran = (served: Served) => served.app.logs().split('RAN ').length - 1
const settled = () => new Promise((resolve) => setTimeout(resolve, 300))

describeApp(
  'forged headers of a client',
  { app: 'guardedFolders', files: guardedFiles() },
  (served) => {
    async function expectNothing(path: string, init: RequestInit, refused: boolean) {
      const response = await served.fetch(path, init)
      const seen = JSON.stringify([...response.headers]) + (await response.text())
      const what = `${init.method ?? 'GET'} ${path} ${JSON.stringify(init.headers)}`
      expect([what, seen.includes('SECRET'), response.status < 500]).toEqual([what, false, true])
      if (refused) expect([what, response.status >= 400]).toEqual([what, true])
    }

    test.each(folders)('show nothing of /%s', { timeout: 240_000 }, async (folder) => {
      for (const forged of forgedHeadersFor(folder)) {
        const paths = ['/photo/1', `/${folder}`, `/${folder}/inner`]
        for (const path of [...paths, ...paths.map(dataOf)]) {
          await expectNothing(path, { headers: forged }, false)
        }
      }
    })

    test.each(folders)('run no action of /%s', { timeout: 240_000 }, async (folder) => {
      const { page, modal } = await actionsOf(served, `/${folder}`)
      const before = ran(served)
      for (const forged of forgedHeadersFor(folder)) {
        // If a folder's page is its own guard, it doesn't guard the modal.
        for (const id of folder === 'desk' ? [page] : [page, modal]) {
          for (const path of ['/photo/1', '/tabs/plain', '/', `/${folder}`, '/nowhere']) {
            await expectNothing(path, callOf(id, forged), false)
            await expectNothing(path, formOf(id, forged), false)
          }
        }
      }
      await settled()
      expect(ran(served)).toBe(before)
    })

    test('run no action of a slot that proxy.ts refuses', async () => {
      const { page } = await actionsOf(served, '/tabs/news')
      const before = ran(served)
      for (const forged of forgedHeadersFor('tabs/news')) {
        await expectNothing('/tabs/plain', callOf(page, forged), true)
      }
      await settled()
      expect(ran(served)).toBe(before)
      const beside = { ...admin, 'waymark-beside': '/tabs/news' }
      expect((await served.fetch('/tabs/plain', callOf(page, beside))).status).toBe(200)
      await expect.poll(() => ran(served)).toBe(before + 1)
    })

    test.each(folders)(
      'open the modal of /%s only for those whom its guard admits',
      async (folder) => {
        const { page, modal } = await actionsOf(served, `/${folder}`)
        const over = { ...admin, 'waymark-from': `/${folder}` }
        const response = await served.fetch(dataOf('/photo/1'), { headers: over })
        const text = await response.text()
        expect([response.status, text.includes(`modal of ${folder}`)]).toEqual([200, true])
        expect(response.headers.get('cache-control')).toContain('private')
        const before = ran(served)
        for (const id of [page, modal]) {
          expect((await served.fetch('/photo/1', callOf(id, over))).status).toBe(200)
        }
        await expect.poll(() => ran(served)).toBe(before + 2)
      },
    )
  },
)
