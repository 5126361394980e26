import type { Page } from 'playwright-core'
import { drillLoad, loadUndisturbed } from './breakLoad.ts'
import { browserCookies } from './browserCookies.ts'
import { drillAction } from './drillActions.ts'
import { launchBrowser } from './drillBrowser.ts'
import { type DrillAction, readDrillConfig } from './drillConfig.ts'
import {
  conclude,
  type DrilledRoute,
  type DrillOptions,
  type DrillResult,
  type Lane,
  type Undisturbed,
} from './drillResult.ts'
import { type DrillFault, drillFaults, nowhere } from './faultList.ts'
import { startFaultProxy } from './faultProxy.ts'
import { measureSlowdown } from './machineSpeed.ts'

type Job = (lane: Lane) => Promise<void>

/**
 * Visits routes, and breaks each load.
 * @returns all results, the number of skipped loads, and `hasBrowserEnded`, which is true if the
 * browser exited unexpectedly
 */
export async function runDrill(options: DrillOptions): Promise<{
  results: readonly DrillResult[]
  leftOut: number
  hasBrowserEnded: boolean
}> {
  const { routes, faults, config, browser } = options
  const results: DrillResult[] = []
  const report = (result: DrillResult) => {
    // If the browser has exited, results would say nothing about the app, so skip the remaining
    // loads.
    if (!browser.isConnected()) return void leftOut++
    results.push(result)
    options.onResult(result)
  }
  const lanes = await Promise.all(Array.from({ length: options.lanes }, () => openLane(options)))
  let leftOut = 0
  const isOver = () => performance.now() >= options.untilMs || !browser.isConnected()
  const runAll = async (jobs: readonly Job[]) => {
    const waiting = jobs.values()
    const work = async (lane: Lane) => {
      for (const job of waiting) {
        if (isOver()) leftOut++
        else await job(lane)
      }
    }
    await Promise.all(lanes.map(work))
  }
  try {
    const undisturbedLoads: Undisturbed[] = []
    await runAll(
      routes.map((route) => async (lane) => {
        const place = { route: route.pattern, pathname: route.pathname, fault: 'none' }
        const undisturbed = await orFailed(place, report, () =>
          loadUndisturbed(route, lane, options, report),
        )
        if (undisturbed) undisturbedLoads.push(undisturbed)
      }),
    )
    const byOrder = routes.flatMap((route) =>
      undisturbedLoads.filter((each) => each.route === route),
    )
    const loads = loadsOf(byOrder, await withoutOthers(options), report)
    const acts = (config.actions ?? []).flatMap((action) =>
      faults.filter(({ way }) => way === 'act').map((fault) => ({ action, fault })),
    )
    // Concurrent actions would change each other's counts, so run them one after another.
    const actAll: Job = async (lane) => {
      for (const act of acts) {
        if (isOver()) leftOut++
        else await drillAct(act, lane, options, report)
      }
    }
    await runAll(acts.length > 0 ? [actAll, ...loads] : loads)
  } finally {
    await Promise.all(lanes.map(({ proxy }) => proxy.stop()))
  }
  return {
    results: results.sort(byRoute(routes)),
    leftOut,
    hasBrowserEnded: !browser.isConnected(),
  }
}

/** The page and the fault of a single drill. */
export type PageDrill = {
  /** Folder of the app. */
  readonly root: string
  /** Origin of a server on this machine. */
  readonly origin: string
  readonly pathname: string
  /** Name of a fault, such as `data:hang`, as `waymark drill` prints it. */
  readonly fault: string
  /** Folder for screenshots. */
  readonly pictures: string
}

// An agent waits for the result, so the limits are shorter than a whole drill's.
const withinMs = 8_000
const drillMs = 40_000

/**
 * Breaks one load of one page of a running server, as `waymark drill` does.
 * @returns the result of the load without a fault and, if the page arrived in this load, the result
 * of the broken load
 * @throws Error that lists the faults, if the name is unknown; `DRILL_BROWSER`
 */
export async function drillPage(drill: PageDrill): Promise<readonly DrillResult[]> {
  const { root, origin, pathname, fault, pictures } = drill
  // Actions need drill.config.ts, so their faults only run in a whole drill.
  const pageFaults = drillFaults.filter(({ way }) => way !== 'act')
  const faults = pageFaults.filter(({ id }) => id === fault)
  if (faults.length === 0) {
    throw new Error(
      `There is no fault ${fault}. The faults are ${pageFaults.map(({ id }) => id).join(', ')}`,
    )
  }
  const { actions: _, ...config } = await readDrillConfig(root)
  const browser = await launchBrowser()
  try {
    const slowdown = await measureSlowdown(browser, 1)
    const { results } = await runDrill({
      origin,
      faults,
      config,
      browser,
      pictures,
      slowdown,
      withinMs: withinMs * slowdown,
      routes: [{ pattern: pathname, pathname }],
      untilMs: performance.now() + drillMs * slowdown,
      lanes: 1,
      onResult: () => {},
    })
    return results
  } finally {
    await browser.close()
  }
}

/** Removes faults that only apply to apps with `@waymark/offline`. */
async function withoutOthers(options: DrillOptions): Promise<DrillOptions> {
  const { origin, faults } = options
  if (!faults.some(({ isSeen }) => isSeen)) return options
  const worker = `${origin}/_waymark/offline.js`
  const response = await fetch(worker, { signal: AbortSignal.timeout(10_000) })
  // Without `@waymark/offline`, an app responds with a script that removes the service worker, so
  // check the content.
  const isWorker = (await response.text()).startsWith('self.settings=')
  if (response.status === 200 && isWorker) return options
  return { ...options, faults: faults.filter(({ isSeen }) => !isSeen) }
}

function loadsOf(
  pages: readonly Undisturbed[],
  options: DrillOptions,
  report: (result: DrillResult) => void,
): Job[] {
  return pages.flatMap((page) => {
    const start = pages.find((other) => other !== page)?.route.pathname ?? nowhere
    const { pattern, pathname } = page.route
    const faults = options.faults.filter(({ way }) => way !== 'act')
    return faults.map((fault): Job => {
      const place = { route: pattern, pathname, fault: fault.id }
      const job = { page, start, fault }
      return (lane) => orFailed(place, report, () => drillLoad(job, lane, options, report))
    })
  })
}

function drillAct(
  { action, fault }: { readonly action: DrillAction; readonly fault: DrillFault },
  { proxy, visit }: Lane,
  options: DrillOptions,
  report: (result: DrillResult) => void,
): Promise<unknown> {
  const place = { route: `${action.path} · ${action.name}`, pathname: action.path }
  const act = async (page: Page) => {
    const finding = await drillAction(action, fault, {
      page,
      proxy,
      origin: options.origin,
      slowdown: options.slowdown,
    })
    report(await conclude(finding, { ...place, fault, page, options }))
  }
  return orFailed({ ...place, fault: fault.id }, report, () => visit(act))
}

/**
 * Reports an unexpected error as a failed load, and a timeout of the drill's own steps as a load that
 * wasn't measured, so that the other loads still run.
 */
async function orFailed<Value>(
  place: Pick<DrillResult, 'route' | 'pathname' | 'fault'>,
  report: (result: DrillResult) => void,
  load: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await load()
  } catch (thrown) {
    const [problem = ''] = String(thrown).split('\n', 1)
    const nothing = { advice: null, screenshot: null }
    // If one of the drill's own steps takes too long, the load says nothing about the app.
    const isTimeout = thrown instanceof Error && thrown.name === 'TimeoutError'
    const outcome = isTimeout ? 'not measured' : 'stuck'
    report({ ...place, ...nothing, outcome, ms: 0, isOk: isTimeout, problem })
    return undefined
  }
}

async function openLane({ origin, browser, config, slowdown }: DrillOptions): Promise<Lane> {
  const proxy = await startFaultProxy(origin)
  const cookies = browserCookies(proxy.origin, config.cookies ?? {})
  return {
    proxy,
    async visit(use) {
      proxy.clear()
      const context = await browser.newContext({ baseURL: proxy.origin })
      if (cookies.length > 0) await context.addCookies(cookies)
      context.setDefaultTimeout(10_000 * slowdown)
      try {
        return await use(await context.newPage())
      } finally {
        proxy.clear()
        await context.close()
      }
    },
  }
}

function byRoute(routes: readonly DrilledRoute[]) {
  const order = new Map(routes.map(({ pattern }, at) => [pattern, at]))
  const at = ({ route }: DrillResult) => order.get(route) ?? routes.length
  return (a: DrillResult, b: DrillResult) => at(a) - at(b)
}
