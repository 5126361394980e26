import { expect } from 'vitest'
import { counted, createTab, noteNotices, type Tab, type WalkerOptions } from './tab.ts'

/**
 * A simulated visitor who walks through the fixture `navigation` while a proxy makes the network
 * fail.
 */
export type Walker = {
  /** Makes one load or a few, and records how each load ended for the visitor. */
  step(): Promise<void>
  /**
   * Waits until the page counts loads, and closes it. By then, the page has also sent the reports
   * that the previous page had stored.
   */
  end(): Promise<void>
}

/** Number of steps of each kind, per hundred steps. */
const weights = {
  click: 52,
  back: 14,
  another: 4,
  reopen: 3,
  leap: 4,
  unknown: 4,
  throwing: 4,
  cut: 4,
  left: 4,
  never: 3,
  offline: 2,
  silent: 2,
}

type Step = keyof typeof weights
type Steps = Readonly<Record<string, () => Promise<void>>>

/** Creates a walker, and opens the first page. */
export async function createWalker(options: WalkerOptions): Promise<Walker> {
  const { context, proxy, random } = options
  await context.addInitScript(noteNotices)
  const tab = createTab(options)
  const steps = { ...plainSteps(tab, options), ...stepsWithFaults(tab, options) }
  await tab.reopen()
  return {
    async step() {
      await steps[choose(random)]()
      proxy.clear()
    },
    async end() {
      await counted(tab.now())
      await tab.close()
    },
  }
}

function plainSteps(tab: Tab, { ledger }: WalkerOptions) {
  async function pushToScreen(path: string, route: string | null, outcome: string) {
    if (tab.at() === path) return
    const { documentId } = await tab.look()
    await tab.begin(path)
    await tab.now().waitForFunction((url) => location.pathname === url, path)
    const isDocument = (await tab.look()).documentId !== documentId
    ledger.did(route, outcome, { isDocument })
    tab.setAt(path)
  }

  return {
    click: () => tab.push(tab.another()),
    async back() {
      if (tab.hasScreen()) await tab.push(tab.another())
      const from = tab.at()
      await tab.push(tab.another())
      const before = await tab.look()
      await tab.now().evaluate(() => history.back())
      await tab.arrive(from, before)
    },
    another: () => tab.openAgain(),
    reopen: () => tab.reopen(),
    unknown: () => pushToScreen('/nowhere', null, 'fallback'),
    throwing: () => pushToScreen('/throws', '/throws', 'error'),
    async leap() {
      await tab.push('/leap')
      const before = await tab.look()
      await tab.now().getByRole('button', { name: 'Jump' }).click()
      await tab.arrive('/b', before)
    },
  } satisfies Steps
}

function stepsWithFaults(tab: Tab, { context, proxy, ledger }: WalkerOptions) {
  /**
   * Starts a load that gets no response.
   * @returns the path of the load
   */
  async function hang(): Promise<string> {
    const path = tab.another()
    const rule = proxy.inject({ kind: 'hang' }, dataOf(path))
    await tab.begin(path)
    const recentRequests = () => proxy.requests.slice(-5).map(({ target }) => target)
    await expect
      .poll(() => (rule.hits === 0 ? recentRequests() : 'hit'), { timeout: 10_000 })
      .toBe('hit')
    return path
  }

  return {
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
      await tab.now().locator('[data-waymark-notice]').waitFor()
      ledger.did(path, 'notice')
      await tab.close()
      await context.setOffline(false)
      await tab.reopen()
    },
    /**
     * Makes a load that gets no response. The visitor ignores the notice, so the browser opens a
     * document after a while.
     */
    async silent() {
      const path = tab.another()
      proxy.inject({ kind: 'hang' }, dataOf(path))
      await tab.push(path)
    },
  } satisfies Steps
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
