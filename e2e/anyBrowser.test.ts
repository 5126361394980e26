import { expect, test } from 'vitest'
import { offlineCases } from './harness/anyBrowser/offlineCases.ts'
import { pageCases } from './harness/anyBrowser/pageCases.ts'
import { runCase } from './harness/anyBrowser/runCase.ts'
import { describeModes } from './harness/describeModes.ts'
import { startOfflineApp } from './harness/offlineApp.ts'
import { startLedgerApp } from './harness/outbox.ts'

// These tests use no automation protocol, so they run in any browser that can open an address. See
// CONTRIBUTING.md.

const modes = ['production'] as const

describeModes('in any browser, a page', { app: 'plain', modes }, (served) => {
  test.each(Object.keys(pageCases))('%s', (name) => runCase(served.app, name))
})

const [cachedPageCase, queuedActionCase] = Object.keys(offlineCases) as [string, string]

test(`in any browser, ${cachedPageCase}`, async () =>
  runCase(await startOfflineApp(), cachedPageCase))

test(`in any browser, ${queuedActionCase}`, async () => {
  const app = await startLedgerApp('production')
  await runCase(app, queuedActionCase)
  expect(app.ledger()).toEqual(['milk'])
})
