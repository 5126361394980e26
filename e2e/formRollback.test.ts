import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from './harness/appFolder.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { type BuildServer, startBuild } from './harness/startBuild.ts'
import { type SwitchProxy, startSwitchProxy } from './harness/switchProxy.ts'
import { heading } from './harness/visit.ts'

/**
 * The files that the next build changes: different code, values of another kind, an additional page
 * and an additional action.
 */
const newer: Readonly<Record<string, string>> = {
  'app/_lib/label.ts': "export const label = 'new'\n",
  'app/_lib/news.ts': `import { cached } from 'waymark/server'

const list = cached(async () => ({ items: new Set(['three']) }), { revalidate: 60 })

export const news = async () => [...(await list()).items]
`,
  'app/_lib/moreActions.ts': `'use server'

import { send } from './actions.ts'

export async function sendMore(fields: FormData): Promise<void> {
  await send(fields)
}
`,
  'app/more/page.tsx': `import { Entry } from '../_lib/entry.tsx'
import { sendMore } from '../_lib/moreActions.ts'

export default function More() {
  return (
    <main>
      <h1>More, new</h1>
      <Entry action={sendMore} />
    </main>
  )
}
`,
}

type Name = 'old' | 'new'

describe('a build is rolled back, and deployed again, under open tabs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-rollback-'))
  const ledgerFile = join(folder, 'ledger.txt')
  let roots: Readonly<Record<Name, string>>
  let server: BuildServer | null = null
  let proxy: SwitchProxy

  beforeAll(async () => {
    const before = await buildApp({ app: 'rolledBack' })
    roots = { old: before, new: await buildApp({ app: 'rolledBack', files: newer }) }
    proxy = await startSwitchProxy('http://localhost:1')
  })
  beforeEach(() => writeFileSync(ledgerFile, ''))
  afterEach(async () => {
    await server?.stop()
    server = null
    expect(proxy.requests.filter(({ status }) => status >= 500)).toEqual([])
  })
  afterAll(async () => {
    await proxy?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Deploys a build at the same origin as the previous one, with the same cache on the disk. */
  async function deploy(name: Name): Promise<void> {
    await server?.stop()
    const env = {
      WAYMARK_SECRET: 'one secret for both of the builds',
      WAYMARK_CACHE_DIR: join(folder, 'cache'),
      LEDGER_FILE: ledgerFile,
    }
    const started = await startBuild(roots[name], env)
    server = started
    proxy.choose(() => started.origin)
  }

  async function open(path: string): Promise<Page> {
    const { page } = await openPage(proxy)
    await page.goto(path)
    await hydratedElement(page.getByLabel('Text'))
    return page
  }
  const textIn = (page: Page) => page.getByLabel('Text').inputValue()
  const ledger = () => readFileSync(ledgerFile, 'utf8').split('\n').filter(Boolean)
  async function send(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => textIn(page)).toBe('')
  }

  test.each(['/', '/write'])(
    'a form of %s is sent once after each of the two deploys',
    async (path) => {
      await deploy('old')
      const ofOld = await open(path)
      await ofOld.getByLabel('Text').fill('typed with the old one')
      await deploy('new')
      await send(ofOld)
      const ofNew = await open(path)
      expect(await ofNew.textContent('#code')).toBe('new')
      await ofNew.getByLabel('Text').fill('typed with the new one')
      await deploy('old')
      await send(ofNew)
      const again = await open(path)
      expect(await again.textContent('#code')).toBe('old')
      await again.getByLabel('Text').fill('typed after the rollback')
      await deploy('new')
      await send(again)
      expect(ledger()).toEqual([
        'typed with the old one',
        'typed with the new one',
        'typed after the rollback',
      ])
    },
  )

  test('pages and cached values are those of their build', async () => {
    for (const name of ['old', 'new', 'old', 'new'] as const) {
      await deploy(name)
      const page = await open('/')
      await heading(page, `Home, ${name}`).waitFor()
      await page.getByRole('link', { name: '/news' }).click()
      await heading(page, `News, ${name}: ${name === 'old' ? 'one,two' : 'three'}`).waitFor()
    }
  })

  test('an open tab continues by clicks, whatever build responds', async () => {
    await deploy('old')
    const page = await open('/')
    for (const name of ['new', 'old', 'new'] as const) {
      await deploy(name)
      await page.getByRole('link', { name: '/write' }).click()
      await heading(page, `Write, ${name}`).waitFor()
      await page.goBack()
      await page.waitForURL((url) => url.pathname !== '/write')
      await page.getByRole('link', { name: '/news' }).click()
      await heading(page, `News, ${name}: ${name === 'old' ? 'one,two' : 'three'}`).waitFor()
    }
  })

  test('text that was typed on a page that the rollback removes is restored when the page is back', async () => {
    await deploy('new')
    const page = await open('/more')
    await page.getByLabel('Text').fill('precious')
    // Wait for the code that stores typed text, because it loads after the form.
    await page.waitForLoadState('networkidle')
    await deploy('old')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('This page could not be found').waitFor()
    expect(ledger()).toEqual([])
    await deploy('new')
    await page.reload()
    await expect.poll(() => textIn(page)).toBe('precious')
    await expect.poll(() => page.textContent('#heard')).toBe('precious')
    await send(page)
    expect(ledger()).toEqual(['precious'])
  })
})
