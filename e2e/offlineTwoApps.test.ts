import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { add, type LedgerApp, startLedgerApp } from './harness/outbox.ts'
import { openPage } from './harness/page.ts'
import { startSwitchProxy } from './harness/switchProxy.ts'

const configOfDocs = `
import { live } from '@waymark/live/vite'
import { offline } from '@waymark/offline/vite'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark({ basePath: '/docs' }), live(), offline()] }
`

/** Starts a server that accepts connections and never responds. */
async function startSilentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts two apps with offline pages and an outbox on the same origin, at `/` and at `/docs`. */
async function startTwoApps() {
  const root = await startLedgerApp('production')
  const docs = await startLedgerApp('production', { 'vite.config.ts': configOfDocs })
  const proxy = await startSwitchProxy(root.origin)
  onTestFinished(() => proxy.stop())
  const route = (originOfRoot: string, originOfDocs: string) =>
    proxy.choose((target) => (/^\/docs(?:[/?]|$)/.test(target) ? originOfDocs : originOfRoot))
  route(root.origin, docs.origin)
  return { root, docs, proxy, route }
}

const ledgerOf = (app: LedgerApp, timeout: number) => expect.poll(app.ledger, { timeout })

describe('two apps on one origin', { timeout: 120_000 }, () => {
  test('a server that does not respond blocks only the outbox of its own app', async () => {
    const { root, docs, proxy, route } = await startTwoApps()
    const { page } = await openPage(proxy)
    await page.goto('/')
    await page.waitForLoadState('networkidle')
    const other = await page.context().newPage()
    await other.goto('/docs')
    await other.waitForLoadState('networkidle')
    route(await startSilentServer(), docs.origin)
    await add(page, 'to the root')
    await add(other, 'to the docs')
    await ledgerOf(docs, 10_000).toEqual(['to the docs'])
    expect(root.ledger()).toEqual([])
    route(root.origin, docs.origin)
    await ledgerOf(root, 60_000).toEqual(['to the root'])
    expect(docs.ledger()).toEqual(['to the docs'])
  })
})
