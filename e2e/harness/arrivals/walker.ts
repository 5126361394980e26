import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { FaultProxy } from '../faults/proxy.ts'
import { hydrated } from '../hydrated.ts'
import { heading } from '../visit.ts'
import type { Ledger } from './ledger.ts'

/** Someone who goes through the fixture `navigation` while the network fails in known ways. */
export type Walker = {
  /** Goes one or a few loads on, and writes down what the person has seen of them. */
  step(): Promise<void>
  /** Closes the page. */
  end(): Promise<void>
}

export type WalkerOptions = {
  readonly context: BrowserContext
  /** Of this walker alone. */
  readonly proxy: FaultProxy
  readonly ledger: Ledger
  /** From 0 to below 1. */
  readonly random: () => number
}

/** Headings of the pages that are gone to. */
const headings: Readonly<Record<string, string>> = {
  '/': 'Home',
  '/a': 'Alpha',
  '/b': 'Beta',
  '/long': 'Long',
  '/leap': 'Leap',
}

/** How often, of a hundred steps. */
const weights = {
  ...{ click: 52, back: 14, another: 4, reopen: 3, leap: 4, unknown: 4, throwing: 4 },
  ...{ cut: 4, left: 4, never: 3, offline: 2, silent: 2 },
}

type Step = keyof typeof weights

/** Opens the first page. */
export async function createWalker(options: WalkerOptions): Promise<Walker> {
  const { context, proxy, ledger, random } = options
  await context.addInitScript(noteNotices)
  const tab = createTab(options)

  /** @returns the path of a load that is never answered */
  async function hang(): Promise<string> {
    const path = tab.another()
    const rule = proxy.inject({ kind: 'hang' }, dataOf(path))
    await tab.begin(path)
    const { requests } = proxy
    const asked = () => requests.slice(-5).map(({ target }) => target)
    await expect.poll(() => (rule.hits === 0 ? asked() : 'hit'), { timeout: 10_000 }).toBe('hit')
    return path
  }

  const steps: Readonly<Record<Step, () => Promise<void>>> = {
    click: () => tab.push(tab.another()),
    back: () => tab.back(),
    another: () => tab.openAgain(),
    reopen: () => tab.reopen(),
    unknown: () => tab.pushToScreen('/nowhere', null, 'fallback'),
    throwing: () => tab.pushToScreen('/throws', '/throws', 'error'),
    async leap() {
      await tab.push('/leap')
      await tab.submit('Jump', '/b')
    },
    async cut() {
      const path = tab.another()
      const once = { ...dataOf(path), times: 1 }
      proxy.inject({ kind: 'cut', afterBytes: 1000, ending: 'reset' }, once)
      await tab.push(path)
    },
    async left() {
      const path = await hang()
      await tab.push(tab.another([path]))
      ledger.did(path, 'left')
    },
    async never() {
      ledger.did(await hang(), 'never')
      await tab.reopen()
    },
    async offline() {
      const path = tab.another()
      await context.setOffline(true)
      await tab.begin(path)
      await tab.untilNotice()
      ledger.did(path, 'notice')
      await tab.close()
      await context.setOffline(false)
      await tab.reopen()
    },
    async silent() {
      const path = tab.another()
      proxy.inject({ kind: 'hang' }, dataOf(path))
      await tab.push(path)
    },
  }
  await tab.reopen()
  return {
    async step() {
      await steps[choose(random)]()
      proxy.clear()
    },
    end: tab.close,
  }
}

const dataOf = (path: string) => ({
  match: ({ target }: { readonly target: string }) =>
    target.startsWith(`/_waymark/data${path === '/' ? '' : path}.rsc`),
})

function choose(random: () => number): Step {
  const all = Object.entries(weights) as [Step, number][]
  let left = random() * all.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [step, weight] of all) {
    left -= weight
    if (left < 0) return step
  }
  return 'click'
}

/** The tab of a walker: what is done in it, and what is seen. */
function createTab({ context, proxy, ledger, random }: WalkerOptions) {
  let page: Page
  let at = ''

  /** Of the pages that have a heading. */
  function another(except: readonly string[] = [at]): string {
    const others = ['/', '/a', '/b', '/long'].filter((path) => ![at, ...except].includes(path))
    return others[Math.floor(random() * others.length)] ?? '/'
  }

  const begin = (path: string) =>
    page.evaluate((href) => void window.router.push(href as '/a'), path)

  async function arrive(path: string, before: Seen | null): Promise<void> {
    await heading(page, headings[path] ?? '').waitFor({ timeout: 40_000 })
    await hydrated(page)
    await page.waitForFunction(() => 'router' in window)
    note(path, before, await look(page))
    at = path
  }

  function note(path: string, before: Seen | null, now: Seen): void {
    const isDocument = now.documentId !== before?.documentId
    const wasAsked = now.notices > (before?.notices ?? 0)
    ledger.did(path, wasAsked ? 'notice' : 'page', { isDocument })
  }

  async function open(before: Seen | null, path = another()): Promise<void> {
    await page.goto(proxy.origin + path)
    await arrive(path, before && { ...before, documentId: 0 })
  }

  async function push(path: string): Promise<void> {
    const before = await look(page)
    await begin(path)
    await arrive(path, before)
  }

  return {
    ...{ another, begin, push },
    close: () => page.close({ runBeforeUnload: false }),
    async reopen() {
      await page?.close({ runBeforeUnload: false })
      proxy.clear()
      page = await context.newPage()
      await open(null)
    },
    openAgain: async () => open(await look(page)),
    async back() {
      if (!(at in headings)) await push(another())
      const from = at
      await push(another())
      const before = await look(page)
      await page.evaluate(() => history.back())
      await arrive(from, before)
    },
    async submit(button: string, path: string) {
      const before = await look(page)
      await page.getByRole('button', { name: button }).click()
      await arrive(path, before)
    },
    /** Goes to a URL that shows a screen. */
    async pushToScreen(path: string, route: string | null, outcome: string) {
      if (at === path) return
      const { documentId } = await look(page)
      await begin(path)
      await page.waitForFunction((url) => location.pathname === url, path)
      const isDocument = (await look(page)).documentId !== documentId
      ledger.did(route, outcome, { isDocument })
      at = path
    },
    untilNotice: () => page.locator('[data-waymark-notice]').waitFor(),
  }
}

type Seen = { readonly documentId: number; readonly notices: number }

/** What the person has seen in this tab. */
function look(page: Page): Promise<Seen> {
  return page.evaluate(() => ({
    documentId: performance.timeOrigin,
    notices: Number(sessionStorage.getItem('notices')),
  }))
}

/** Runs in each document, and counts the notices that come up in a tab. */
function noteNotices(): void {
  let isShown = false
  new MutationObserver(() => {
    const wasShown = isShown
    const text = document.querySelector('[data-waymark-notice]')?.textContent ?? ''
    // Code that is late is no load.
    isShown = text !== '' && !text.startsWith('A part of this page')
    if (!isShown || wasShown) return
    sessionStorage.setItem('notices', String(Number(sessionStorage.getItem('notices')) + 1))
  }).observe(document, { childList: true, subtree: true })
}
