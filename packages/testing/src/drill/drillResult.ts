import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { DrillConfig } from './drillConfig.ts'
import type { DrillOutcome, Finding, Sight } from './drillLoad.ts'
import type { DrillFault } from './faultList.ts'
import type { FaultProxy } from './faultProxy.ts'

/** A route, and where it is gone to. */
export type DrilledRoute = { readonly pattern: string; readonly pathname: string }

/** One load of a drill, and what became of it. */
export type DrillResult = {
  readonly route: string
  readonly pathname: string
  /** `none` for the load in which nothing is broken. */
  readonly fault: string
  readonly outcome: DrillOutcome
  /** From the click to it. */
  readonly ms: number
  readonly isOk: boolean
  /** What is wrong, where something is. */
  readonly problem: string | null
  /** What to do about it. */
  readonly advice: string | null
  /** Path of a picture of what a person sees. */
  readonly screenshot: string | null
}

/** What is drilled, and how. */
export type DrillOptions = {
  /** Of the app. */
  readonly origin: string
  readonly routes: readonly DrilledRoute[]
  readonly faults: readonly DrillFault[]
  readonly config: DrillConfig
  readonly browser: Browser
  /** Time for a load to come to something. */
  readonly withinMs: number
  /** When no load is begun any more; of `performance.now()`. */
  readonly untilMs: number
  /** How many loads at once. */
  readonly lanes: number
  /** Folder of the screenshots. */
  readonly pictures: string
  readonly onResult: (result: DrillResult) => void
}

/** A place where loads happen, one after the other. */
export type Lane = {
  readonly proxy: FaultProxy
  /** Gives a page in a browser context of its own, closed afterwards. */
  visit<Result>(use: (page: Page) => Promise<Result>): Promise<Result>
}

/** What is known of a page that nothing disturbs. */
export type Undisturbed = {
  readonly route: DrilledRoute
  readonly first: Sight
  readonly second: Sight
  readonly bytes: Readonly<Record<'document' | 'data', number>>
}

/** Says of a load whether it is well, and what to do where it is not. */
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
  const { outcome, ms } = finding
  const id = fault?.id ?? 'none'
  let { problem } = finding
  if (outcome === 'arrived' && problem === null && options.config.check && fault?.way !== 'act') {
    try {
      await options.config.check(page, { route, fault: id })
    } catch (thrown) {
      problem = thrown instanceof Error ? thrown.message : String(thrown)
    }
  }
  const isOk = problem === null && outcome !== 'stuck'
  const advice = isOk ? null : adviceFor(fault, { ...finding, problem })
  const screenshot = isOk ? null : await takePicture(page, options.pictures, `${route} ${id}`)
  return { route, pathname, fault: id, outcome, ms, isOk, problem, advice, screenshot }
}

async function takePicture(page: Page, folder: string, name: string): Promise<string | null> {
  const path = join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, '-').replace(/^-/, '')}.png`)
  mkdirSync(folder, { recursive: true })
  // A page that waits for a style sheet can't be painted, and so has no picture.
  const taking = page.screenshot({ path, timeout: 3000 })
  return taking.then(() => path).catch(() => null)
}

/** Says what to do about a load that did not arrive. @param fault `null` when nothing was broken */
function adviceFor(fault: DrillFault | null, finding: Finding): string {
  if (fault === null) {
    return finding.outcome === 'stuck'
      ? 'A layout, a page or gate() waits for something that does not come. Give the wait a deadline (AbortSignal.timeout), or put what waits into <Suspense>.'
      : 'The page fails by itself: waymark errors says why. A route that needs more than its path gets cookies in drill.config.ts, or is named in skip.'
  }
  if (finding.problem !== null && fault.way !== 'act') {
    return 'The check in drill.config.ts failed: what it looks for was lost on the way.'
  }
  if (fault.target === 'data' && fault.withinMs !== undefined) return slowAdvice
  const missing = finding.missing?.slice(0, 2).map((line) => JSON.stringify(line.slice(0, 60)))
  const lacks = missing?.length ? ` It lacks ${missing.join(' and ')}.` : ''
  return adviceOf[fault.target] + lacks
}

const slowAdvice =
  'On a slow line this page neither comes nor is given up: send less of it at once, in pages of a list or in <Suspense>.'

const adviceOf: Readonly<Record<DrillFault['target'], string>> = {
  data: 'The navigation ended in nothing: look for code that stops the click, or that changes the history itself.',
  machine:
    'A tab slept, a clock jumped, or storage refuses: look for code that counts on timers, compares dates, or reads storage without a catch.',
  offline:
    'The page was seen, and does not open without a network: look for code that waits for a request of its own.',
  clicks:
    'A click came early, or while another was under way, and nothing came of it: look for code that stops clicks, or allows one only.',
  page: 'The page can not be had, and nobody is told: look for code that stops the click, or that replaces the notice.',
  document:
    'What came of the document is not enough to go on: put what takes long into <Suspense>, below the text that matters.',
  scripts:
    'Without its scripts the page shows a placeholder for ever. Render the content on the server, or have what loads it show an error with a way to try again.',
  styles:
    'Without its styles the page is not shown: load styles of others with media or after the content.',
  actions:
    'Make the effect happen once, and say what became of it: call a server action by a form or in a transition (it runs once however often it is sent), or send a key of your own and store it with the effect.',
}
