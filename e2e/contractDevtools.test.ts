import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { content, openRoots, shortcut, tab } from './harness/devtoolsPanel.ts'
import { openPage } from './harness/page.ts'
import { rawRequest } from './harness/rawRequest.ts'

// The names contain HTML, as if somebody had edited the file by hand.
const contract = `personas: anonymous, member, <b onclick="hacked()">admin</b>

action <img src="/none" onerror="globalThis.hacked = true">
  access everyone (from any page): 403

action rename
  access anonymous (from /account/[id]): redirect to /enter
  access member (from /account/[id]): may call
  forged call: 403
  own checks: not tried

handler /api/accounts
  access everyone (GET): 401

not proven
  page /account/[id]: the persona <script>globalThis.hacked = true</script> could not sign in

page /account/[id]
  access anonymous: 307 to /enter
  access member: 200
  cache: private, no-store
  layouts: /, /account

page /account/help
  access everyone: 200
`

const files = {
  'contract.txt': contract,
  'app/account/layout.tsx': `import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return <main>{children}<a href="/account/help">Help</a></main>
}
`,
  'app/account/[id]/page.tsx': `export default function Page() {
  return <h1>Account</h1>
}
`,
  'app/account/help/page.tsx': `export default function Page() {
  return <h1>Help</h1>
}
`,
}

describeModes('the contract in the devtools', { app: 'cache', files, modes: ['dev'] }, (served) => {
  const inApp = (name: string) => join(served.app.root, name)

  async function ask(what: string) {
    const params = { name: 'who_can_reach', arguments: { what } }
    const response = await served.fetch('/_waymark/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const { result } = await response.json()
    const { isError, content } = result as { isError: boolean; content: [{ text: string }] }
    return { isError, text: content[0].text }
  }

  test('shows the part of the page, follows navigations and changes of the file', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await openRoots(page, false)
    await page.goto('/account/3')
    await page.keyboard.press(shortcut)
    await tab(page, 'Contract').click()
    const shown = content(page)
    await shown.getByRole('heading', { name: '/account/[id]' }).waitFor()
    const rows = shown.getByRole('row')
    expect(await rows.filter({ hasText: 'member' }).textContent()).toMatch(/member\s*200/)
    expect(await rows.filter({ hasText: 'anonymous' }).textContent()).toMatch(/307 to \/enter/)
    const text = await shown.textContent()
    expect(text).toContain('/, /account')
    expect(text).toMatch(/rename\s*redirect to \/enter\s*anonymous\s*may call\s*member/)
    expect(text).toContain('own checks: not tried')
    expect(text).not.toContain('/api/accounts')

    // Names that contain HTML are shown as text.
    expect(text).toContain('<img src="/none" onerror="globalThis.hacked = true">')
    expect(text).toContain('<script>globalThis.hacked = true</script>')
    expect(text).toContain('<b onclick="hacked()">admin</b>')
    expect(await shown.locator('img, script, b').count()).toBe(0)
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)

    await page.getByRole('link', { name: 'Help' }).click()
    await shown.getByRole('heading', { name: '/account/help' }).waitFor()

    writeFileSync(inApp('contract.txt'), `<<<<<<< HEAD\n${contract}`)
    await shown.getByText('contract.txt has a merge conflict at line 1').waitFor()
    rmSync(inApp('contract.txt'))
    await shown.getByText('No contract yet').waitFor()
    expect(await shown.textContent()).toContain('npx waymark contract')
    writeFileSync(inApp('contract.txt'), contract)
    utimesSync(inApp('contract.txt'), 1_000_000, 1_000_000)
    await shown.getByText(/is newer than contract\.txt/).waitFor()
    writeFileSync(inApp('contract.txt'), contract)
    await shown.getByText(/is newer than contract\.txt/).waitFor({ state: 'detached' })
    expectQuietConsole()
  })

  test('the tool for agents finds paths, actions, handlers and files', async () => {
    writeFileSync(inApp('contract.txt'), contract)
    const found = JSON.parse((await ask('/account/3?tab=1')).text)
    const names = found.entries.map((each: { kind: string; name: string }) => each.name)
    expect(names).toEqual([
      '/account/[id]',
      '<img src="/none" onerror="globalThis.hacked = true">',
      'rename',
    ])
    expect(found.entries[0]).toMatchObject({
      reachedBy: ['member'],
      access: [{ request: 'document', gets: { anonymous: '307 to /enter', member: '200' } }],
    })
    expect(Object.keys(found.notProven)).toEqual(['page /account/[id]'])
    for (const what of ['/account/[id]', 'app/account/[id]/page.tsx', served.url('/account/9')]) {
      expect(JSON.parse((await ask(what)).text).entries[0]).toMatchObject({ name: '/account/[id]' })
    }
    expect(JSON.parse((await ask('renam')).text).closeNames).toEqual(['action rename'])
    utimesSync(inApp('contract.txt'), 1_000_000, 1_000_000)
    expect(JSON.parse((await ask('rename')).text).outdated).toContain('may be out of date')
    rmSync(inApp('contract.txt'))
    expect(JSON.parse((await ask('rename')).text).commands).toEqual(['npx waymark contract'])
    writeFileSync(inApp('contract.txt'), 'contract')
    expect(await ask('rename')).toEqual({
      isError: true,
      text: "contract.txt can't be read. Line 1 isn't part of a contract: contract",
    })
  })

  test('other sites and machines get nothing', async () => {
    const target = '/_waymark/devtools/contract?pathname=/account/3'
    const sameOrigin = { 'sec-fetch-site': 'same-origin' }
    expect((await served.fetch(target, { headers: sameOrigin })).status).toBe(200)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://evil.test' },
      {},
    ]) {
      expect((await served.fetch(target, { headers })).status).toBe(403)
    }
    const rebound = { ...sameOrigin, host: 'evil.test' }
    expect((await rawRequest(served.app.origin, target, { headers: rebound })).status).toBe(403)
    const call = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const foreign = { ...call, headers: { ...call.headers, origin: 'http://evil.test' } }
    expect((await served.fetch('/_waymark/mcp', foreign)).status).toBe(403)
    const wrong = '/_waymark/devtools/contract?pathname=http://evil.test/'
    expect((await served.fetch(wrong, { headers: sameOrigin })).status).toBe(400)
  })
})
