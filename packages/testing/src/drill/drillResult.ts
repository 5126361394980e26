import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { DrillConfig } from './drillConfig.ts'
import type { DrillOutcome, Finding, Sight } from './drillLoad.ts'
import type { DrillFault } from './faultList.ts'
import type { FaultProxy } from './faultProxy.ts'
import { isTooBusy } from './machineSpeed.ts'

/** A route, and the path to visit. */
export type DrilledRoute = { readonly pattern: string; readonly pathname: string }

/** One load of a drill, and its outcome. */
export type DrillResult = {
  readonly route: string
  readonly pathname: string
  /** Name of the fault; `none` for the load without a fault. */
  readonly fault: string
  readonly outcome: DrillOutcome
  /** Milliseconds from the click to the outcome. */
  readonly ms: number
  readonly isOk: boolean
  /** Reason why the load is wrong, or `null`. */
  readonly problem: string | null
  /** Advice for fixing a failed load, or `null`. */
  readonly advice: string | null
  /** Path of a screenshot, or `null`. */
  readonly screenshot: string | null
}

/** Options of a drill. */
export type DrillOptions = {
  /** Origin of the app. */
  readonly origin: string
  readonly routes: readonly DrilledRoute[]
  readonly faults: readonly DrillFault[]
  readonly config: DrillConfig
  readonly browser: Browser
  /** Milliseconds that a load may take. */
  readonly withinMs: number
  /** Factor for the drill's other time limits, from the speed of the machine. `withinMs` contains it. */
  readonly slowdown: number
  /** Time after which no further load is started, on the clock of `performance.now()`. */
  readonly untilMs: number
  /** Number of loads that run at the same time. */
  readonly lanes: number
  /** Folder for screenshots. */
  readonly pictures: string
  readonly onResult: (result: DrillResult) => void
}

/** A proxy and a browser in which loads run one after another. */
export type Lane = {
  readonly proxy: FaultProxy
  /** Runs a function with a page in a new browser context, and closes the context afterwards. */
  visit<Result>(use: (page: Page) => Promise<Result>): Promise<Result>
}

/** Facts about a page, from two loads without a fault. */
export type Undisturbed = {
  readonly route: DrilledRoute
  readonly first: Sight
  readonly second: Sight
  readonly bytes: Readonly<Record<'document' | 'data', number>>
}

/** Decides if a load is ok. For a failed load, adds advice and a screenshot. */
export async function conclude(
  finding: Finding,
  where: {
    readonly route: string
    readonly pathname: string
    readonly fault: DrillFault | null
    readonly page: Page
    readonly options: DrillOptions
  },
): Promise<DrillResult> {
  const { route, pathname, fault, page, options } = where
  const { ms } = finding
  let { outcome } = finding
  const id = fault?.id ?? 'none'
  let { problem } = finding
  if (outcome === 'arrived' && problem === null && options.config.check && fault?.way !== 'act') {
    try {
      await options.config.check(page, { route, fault: id })
    } catch (thrown) {
      problem = thrown instanceof Error ? thrown.message : String(thrown)
    }
  }
  if (outcome === 'stuck' && (await isTooBusy(options.browser, options.slowdown))) {
    outcome = 'not measured'
    problem = busyProblem
  }
  const isOk = outcome === 'not measured' || (problem === null && outcome !== 'stuck')
  const advice = isOk ? null : adviceFor(fault, { ...finding, problem })
  const screenshot = isOk ? null : await takePicture(page, options.pictures, `${route} ${id}`)
  return { route, pathname, fault: id, outcome, ms, isOk, problem, advice, screenshot }
}

const busyProblem =
  'the machine has become too busy. Run the drill again, or use a higher --slowdown'

async function takePicture(page: Page, folder: string, name: string): Promise<string | null> {
  const path = join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, '-').replace(/^-/, '')}.png`)
  mkdirSync(folder, { recursive: true })
  // Taking a screenshot hangs if the page can't be painted until a style sheet arrives, so limit
  // the time.
  const taking = page.screenshot({ path, timeout: 3000 })
  return taking.then(() => path).catch(() => null)
}

/**
 * Returns advice for a load that did not arrive. @param fault the fault that was switched on;
 * `null` if nothing was broken
 */
function adviceFor(fault: DrillFault | null, finding: Finding): string {
  if (fault === null) {
    return finding.outcome === 'stuck'
      ? 'A layout, a page or gate() waits for something that never arrives. Set a deadline with AbortSignal.timeout, or wrap the part that waits in <Suspense>.'
      : 'The page fails even without a fault. Run waymark errors to see why. If the route needs a session, set cookies in drill.config.ts, or list the route in skip.'
  }
  if (finding.problem !== null && fault.way !== 'act') {
    return 'The check in drill.config.ts failed, because a part of the page was lost in transit.'
  }
  if (fault.target === 'data' && fault.withinMs !== undefined) return slowAdvice
  const missing = finding.missing?.slice(0, 2).map((line) => JSON.stringify(line.slice(0, 60)))
  const lacks = missing?.length ? ` Missing text: ${missing.join(' and ')}.` : ''
  return adviceOf[fault.target] + lacks
}

const slowAdvice =
  'On a slow connection, this page neither arrives nor fails. Send less at once: paginate long lists, or use <Suspense>.'

const adviceOf: Readonly<Record<DrillFault['target'], string>> = {
  data: 'The navigation had no effect. Look for code that cancels the click or changes the history.',
  machine:
    "The tab was suspended, the clock was changed, or storage couldn't be used. Look for code that relies on timers, compares dates, or uses storage without a catch.",
  offline:
    "The page was visited before, but doesn't open offline. Look for code in the page that waits for a request.",
  clicks:
    'An early click, or a click during another navigation, had no effect. Look for code that blocks clicks or allows only one at a time.',
  page: "The page can't be loaded, but the user sees no message. Look for code that cancels the click or replaces the notice.",
  document:
    "The page can't be used with the part of the document that arrived. Wrap slow parts in <Suspense>, and put the important text before them.",
  scripts:
    'Without its scripts, the page shows a placeholder forever. Render the content on the server, or show an error with a retry button if loading fails.',
  styles:
    "Without its style sheets, the page isn't shown. Load third-party style sheets with a media attribute, or after the content.",
  actions:
    'Make sure that the effect happens once and that the user sees the result. Call a server action from a form or in a transition: it runs once, however often it is sent. Or send your own idempotency key and store it with the effect.',
}
