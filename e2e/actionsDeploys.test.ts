import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { type BuildServer, startBuild } from './harness/startBuild.ts'
import { type SwitchProxy, startSwitchProxy } from './harness/switchProxy.ts'

const oldSecret = 'the secret of the build before it'
const newSecret = 'the secret of the build after that'
const ringOf = (mode: 'kept' | 'lost') => ({
  WAYMARK_SECRET: newSecret,
  ...(mode === 'kept' ? { WAYMARK_SECRET_PREVIOUS: oldSecret } : {}),
})

/** The files that the next build changes: code next to the same actions, and one action fewer. */
const changed: Readonly<Record<string, string>> = {
  'app/_lib/label.ts': "export const label = 'B'\n",
  'app/_lib/gone.ts': "'use server'\n\nexport async function renamed() {}\n",
  'app/_ui/gone.tsx': `'use client'

import { renamed } from '../_lib/gone.ts'

export function Gone() {
  return (
    <form action={renamed}>
      <input name="text" aria-label="Gone" />
      <button type="submit">Go</button>
    </form>
  )
}
`,
}

describe('a page of the old build with a server of the new one', () => {
  let rootB = ''
  let a: BuildServer
  let b: BuildServer
  let forgetful: BuildServer
  let proxy: SwitchProxy

  beforeAll(async () => {
    const env = { WAYMARK_SECRET: oldSecret }
    const rootA = await buildApp({ app: 'actionsDeployed', env })
    rootB = join(inject('workFolder'), `actions-deployed-b-${process.pid}`)
    cpSync(rootA, rootB, { recursive: true })
    for (const [name, text] of Object.entries(changed)) writeFileSync(join(rootB, name), text)
    const built = await runWaymark(['build'], rootB, ringOf('kept'))
    expect(built.exitCode, built.output).toBe(0)
    ;[a, b, forgetful] = await Promise.all([
      startBuild(rootA, env),
      startBuild(rootB, ringOf('kept')),
      startBuild(rootB, ringOf('lost')),
    ])
    proxy = await startSwitchProxy(a.origin)
  })
  afterAll(async () => {
    await Promise.all([a, b, forgetful, proxy].map((each) => each?.stop()))
    rmSync(rootB, { recursive: true, force: true })
  })
  beforeEach(() => proxy.choose(() => a.origin))
  const deploy = (to: BuildServer) => proxy.choose(() => to.origin)

  async function visit(options: { javaScriptEnabled?: boolean } = {}) {
    const { page } = await openPage(proxy, options)
    await page.goto('/')
    if (options.javaScriptEnabled !== false) await hydratedElement(page.locator('#call'))
    expect(await page.textContent('#label')).toBe('A')
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
    return page
  }
  const isSame = (page: Page) => page.evaluate(() => 'isSameDocument' in window)

  test('runs calls, forms, forms with state and closures, in the same document', async () => {
    const page = await visit()
    deploy(b)
    await page.locator('#call').click()
    await expect.poll(() => page.textContent('#called')).toBe('B heard call')
    await page.getByLabel('Plain').fill('plain')
    await page.locator('#plain').click()
    await expect.poll(() => page.getByLabel('Plain').inputValue()).toBe('')
    await page.getByLabel('State').fill('state')
    await page.locator('#state').click()
    await expect.poll(() => page.textContent('#shown')).toBe('B heard state')
    await page.getByLabel('Closed').fill('closed')
    await page.locator('#closed').click()
    await expect.poll(() => page.getByLabel('Closed').inputValue()).toBe('')
    expect(await heardBy(b)).toEqual(['call', 'plain', 'state', 'closed over A'])
    expect(await isSame(page)).toBe(true)
  })

  test('runs them without JavaScript, and leads to the new page', async () => {
    const heard = await heardBy(b)
    for (const [label, button, message] of [
      ['Plain', '#plain', 'plain'],
      ['State', '#state', 'state'],
      ['Closed', '#closed', 'closed over A'],
    ] as const) {
      deploy(a)
      const page = await visit({ javaScriptEnabled: false })
      deploy(b)
      await page.getByLabel(label).fill(label.toLowerCase())
      await page.locator(button).click()
      await expect.poll(() => page.textContent('#label')).toBe('B')
      heard.push(message)
      expect(await heardBy(b)).toEqual(heard)
    }
  })

  test.each([
    ['an action that is gone', 'Gone', '#gone', () => b],
    ['a closure that no key opens', 'Closed', '#closed', () => forgetful],
  ])('%s: the page is reloaded, and typed text is restored', async (_, label, button, to) => {
    const page = await visit()
    const server = to()
    deploy(server)
    const before = await heardBy(server)
    await page.getByLabel(label).fill('precious')
    await page.locator(button).click()
    await expect.poll(() => page.textContent('#label')).toBe('B')
    await expect.poll(() => page.getByLabel(label).inputValue()).toBe('precious')
    expect(await isSame(page)).toBe(false)
    expect(await heardBy(server)).toEqual(before)
  })
})

async function heardBy({ origin }: BuildServer): Promise<string[]> {
  return (await fetch(`${origin}/heard`)).json() as Promise<string[]>
}
