import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { chromium as systemChromium } from '../scripts/workspace/systemTools.mjs'
import { ofCall } from './harness/faults/actionsBehindProxy.ts'
import { startFaultProxy } from './harness/faults/proxy.ts'
import { add, openOutbox, outboxOf, outboxReady, startLedgerApp } from './harness/outbox.ts'
import { repetitions } from './harness/runLength.ts'

const perTab = repetitions(10, 25)

/** Submits notes as fast as the form accepts them, and returns the notes. */
async function write(page: Page, tab: string): Promise<string[]> {
  const texts = Array.from({ length: perTab }, (_, at) => `${tab}${at}`)
  for (const text of texts) {
    await add(page, text)
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('')
  }
  return texts
}

test('many notes of two tabs, with killed servers and cut responses, are sent once each, in order', async () => {
  const app = await startLedgerApp('production')
  const proxy = await startFaultProxy(app.origin)
  onTestFinished(() => proxy.stop())
  const { page: first } = await openOutbox(proxy)
  const second = await first.context().newPage()
  await second.goto('/')
  await outboxReady(second)
  let isWriting = true
  const trouble = async () => {
    for (let at = 0; isWriting || at < 6; at++) {
      // Make the server run one call whose response is lost. After that, cut responses.
      proxy.inject({ kind: 'unheard' }, { match: ofCall, times: 1 })
      await sleep(300 + Math.random() * 1500)
      proxy.inject({ kind: 'cut', afterBytes: 20, ending: 'reset' }, { match: ofCall, times: 1 })
      await app.kill()
      await sleep(Math.random() * 1500)
      await app.start()
      await sleep(1000 + Math.random() * 2000)
    }
    proxy.clear()
  }
  const writing = Promise.all([write(first, 'a'), write(second, 'b')]).finally(() => {
    isWriting = false
  })
  const [[ofFirst, ofSecond]] = await Promise.all([writing, trouble()])
  await expect
    .poll(() => app.ledger().length, { timeout: 120_000 })
    .toBeGreaterThanOrEqual(2 * perTab)
  await outboxOf(first).waitFor({ state: 'detached', timeout: 60_000 })
  await outboxOf(second).waitFor({ state: 'detached' })
  expect(app.ledger().filter((text) => text.startsWith('a'))).toEqual(ofFirst)
  expect(app.ledger().filter((text) => text.startsWith('b'))).toEqual(ofSecond)
}, 400_000)

/**
 * Creates a random number generator for numbers from 0 to 1. The same seed gives the same numbers.
 */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Waits until a note is in the browser's storage or has been sent. */
async function untilStored(page: Page, text: string, ledger: () => string[]): Promise<void> {
  const isStored = () =>
    page.evaluate(async (text) => {
      const name = (await indexedDB.databases()).find((each) => each.name?.startsWith('waymark'))
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name?.name ?? '')
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      const entries = await new Promise<unknown[]>((resolve) => {
        const request = database.transaction('outbox').objectStore('outbox').getAll()
        request.onsuccess = () => resolve(request.result)
      })
      database.close()
      return JSON.stringify(entries).includes(`"${text}"`)
    }, text)
  await expect.poll(async () => (await isStored()) || ledger().includes(text)).toBe(true)
}

test('a note that is sent after a reload does not overtake the previous one', async () => {
  const app = await startLedgerApp('production')
  const proxy = await startFaultProxy(app.origin)
  onTestFinished(() => proxy.stop())
  const { page } = await openOutbox(proxy)
  proxy.inject({ kind: 'reset' }, { match: ofCall })
  await add(page, 'first')
  await untilStored(page, 'first', app.ledger)
  await page.reload()
  await outboxReady(page)
  proxy.clear()
  await add(page, 'second')
  await expect.poll(app.ledger).toEqual(['first', 'second'])
})

test('notes across random reloads are sent once each, in order', async () => {
  const app = await startLedgerApp('production')
  const proxy = await startFaultProxy(app.origin)
  onTestFinished(() => proxy.stop())
  const { page } = await openOutbox(proxy)
  const random = createRandom(58)
  const texts = Array.from({ length: repetitions(8, 16) }, (_, at) => `n${at}.`)
  for (const text of texts) {
    if (random() < 0.6) {
      const times = 1 + Math.floor(random() * 2)
      proxy.inject({ kind: random() < 0.5 ? 'reset' : 'unheard' }, { match: ofCall, times })
    }
    await add(page, text)
    await untilStored(page, text, app.ledger)
    await sleep(random() * 500)
    if (random() < 0.5) await page.reload()
    await outboxReady(page)
  }
  proxy.clear()
  await expect.poll(() => app.ledger().length, { timeout: 120_000 }).toBe(texts.length)
  expect(app.ledger()).toEqual(texts)
}, 240_000)

test('a silent connection frees the form at the limit, and the note is still sent once', async () => {
  const app = await startLedgerApp('production')
  const proxy = await startFaultProxy(app.origin)
  onTestFinished(() => proxy.stop())
  const { page } = await openOutbox(proxy)
  proxy.inject({ kind: 'hang' }, { match: ofCall, times: 1 })
  const startedAtMs = Date.now()
  await add(page, 'milk')
  await outboxOf(page).getByText('milk').waitFor()
  expect(Date.now() - startedAtMs).toBeGreaterThan(3000)
  await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('')
  // Allow 60 s, because the hanging request is abandoned only after 30 s.
  await expect.poll(app.ledger, { timeout: 60_000 }).toEqual(['milk'])
  await outboxOf(page).waitFor({ state: 'detached' })
}, 120_000)

test('waiting notes survive the browser', async () => {
  const app = await startLedgerApp('production')
  const profile = mkdtempSync(join(tmpdir(), 'waymark-profile-'))
  onTestFinished(() => rmSync(profile, { recursive: true, force: true }))
  const open = async () => {
    const executablePath = systemChromium.find() ?? ''
    const options = { executablePath, headless: true, chromiumSandbox: false, baseURL: app.origin }
    const context = await chromium.launchPersistentContext(profile, options)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto('/')
    await outboxReady(page)
    return { context, page }
  }
  const before = await open()
  await app.kill()
  await add(before.page, 'milk')
  await outboxOf(before.page).getByText('milk').waitFor()
  await before.context.close()
  await app.start()
  const { page } = await open()
  await expect.poll(app.ledger).toEqual(['milk'])
  await outboxOf(page).waitFor({ state: 'detached' })
})
