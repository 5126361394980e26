import { expect, onTestFinished, test } from 'vitest'
import { add, openOutbox, outboxOf, startLedgerApp } from './harness/outbox.ts'
import { startSwitchProxy } from './harness/switchProxy.ts'

const at = (basePath: string) => ({
  'vite.config.ts': `import { offline } from '@waymark/offline/vite'
import { waymark } from 'waymark/vite'
export default { plugins: [waymark({ basePath: '${basePath}' }), offline()] }
`,
})

/** Starts two apps on the same origin. Each app has its own users. */
async function startApps() {
  const one = await startLedgerApp('production', at('/one'))
  const two = await startLedgerApp('production', at('/two'))
  const proxy = await startSwitchProxy(one.origin)
  onTestFinished(() => proxy.stop())
  proxy.choose((target) => (target.startsWith('/two') ? two : one).origin)
  return { one, two, origin: proxy.origin }
}

test('submissions that wait in one app are invisible to another app of the origin, even with equal user names', async () => {
  const { one, two, origin } = await startApps()
  const { page } = await openOutbox({ origin }, '/one')
  const context = page.context()
  const isIn = (path: string, value: string) =>
    context.addCookies([{ name: 'user', value, domain: 'localhost', path }])
  await isIn('/one', 'ada')
  await page.reload()
  await page.getByText('User: ada').waitFor()
  await one.kill()
  await add(page, 'for one')
  await outboxOf(page).getByText('for one').waitFor()
  // If a user signs in to the other app, nothing changes in this app.
  await isIn('/two', 'bob')
  const other = await context.newPage()
  await other.goto('/two')
  await other.getByText('User: bob').waitFor()
  await add(other, 'for two')
  await expect.poll(two.ledger).toEqual(['for two'])
  expect(await outboxOf(page).getByText('for one').count()).toBe(1)
  // A user with the same name in the other app counts as a different user.
  await isIn('/two', 'ada')
  await other.reload()
  await other.getByText('User: ada').waitFor()
  await add(other, 'of another ada')
  await expect.poll(two.ledger).toEqual(['for two', 'of another ada'])
  expect(await outboxOf(other).count()).toBe(0)
  await one.start(at('/one'))
  await expect.poll(one.ledger, { timeout: 60_000 }).toEqual(['for one'])
}, 120_000)
