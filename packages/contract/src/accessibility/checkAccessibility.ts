import type { TestRequest } from '@waymark/testing'
import { launchBrowser } from '@waymark/testing'
import { browserCookies } from '@waymark/testing/build'
import type { Browser, Page } from 'playwright-core'
import type { BuildFacts, RouteFacts } from '../build/buildFacts.ts'
import { anonymous } from '../config/contractConfig.ts'
import { accessOf } from '../contract/access.ts'
import type { ContractEntry } from '../contract/contractFile.ts'
import type { FindSamples } from '../probe/samples.ts'
import { runAll } from '../probe/sender.ts'
import { findViolations, readAxe, settle } from './axe.ts'
import { openState, type StateServer, startStateServer } from './openState.ts'
import type { PageState } from './pageData.ts'
import { listScreens, type Screen } from './screens.ts'
import { type AccessibilityDetail, formatViolations, type Violation } from './violations.ts'

/** The app whose pages to check, after its pages have been requested as all personas. */
export type CheckedApp = {
  readonly root: string
  readonly origin: string
  readonly facts: BuildFacts
  readonly personas: ReadonlyMap<string, TestRequest>
  readonly findSamples: FindSamples
  /** The entries of the pages. */
  readonly entries: readonly ContractEntry[]
}

export type Accessibility = {
  /** The entries with the property `accessibility`, and an entry for each screen. */
  readonly entries: readonly ContractEntry[]
  readonly details: readonly AccessibilityDetail[]
  /** Reasons why something wasn't checked, by title. */
  readonly unproven: Readonly<Record<string, string>>
}

/** Checks the accessibility of all pages, and of the screens that replace them. */
export async function checkAccessibility(app: CheckedApp): Promise<Accessibility> {
  const axe = readAxe(app.root)
  if (axe === null) {
    return notChecked(app, "axe-core isn't installed; run npm install --save-dev axe-core")
  }
  const browser = await launchBrowser().catch((error: unknown) => error as Error)
  if (browser instanceof Error) return notChecked(app, describeLaunch(browser))
  const server = await startStateServer()
  try {
    return await checkApp(app, { axe, browser, server })
  } finally {
    server.stop()
    await browser.close()
  }
}

function describeLaunch(error: Error & { code?: unknown }): string {
  return error.code === 'DRILL_BROWSER'
    ? 'no browser was found; install Chromium or Chrome, or set WAYMARK_BROWSER to its path'
    : `the browser couldn't start: ${firstLine(error.message)}`
}

function notChecked({ entries }: CheckedApp, reason: string): Accessibility {
  return { entries, details: [], unproven: { accessibility: reason } }
}

type Tools = { readonly axe: string; readonly browser: Browser; readonly server: StateServer }

/** A page that one of the personas gets. */
type Visit = { readonly page: RouteFacts; readonly persona: string; readonly path: string }

// A second lane uses the time in which the first one waits for the app.
const lanes = 2

async function checkApp(app: CheckedApp, tools: Tools): Promise<Accessibility> {
  const results = new Map<string, string>()
  const screenEntries: ContractEntry[] = []
  const details: AccessibilityDetail[] = []
  const unproven: Record<string, string> = {}
  const visits = listVisits(app)
  await runAll(
    visits,
    async (visit) => {
      const { pattern } = visit.page
      const found = await inPage(app, tools, visit.persona, async (page) => {
        await page.goto(urlOf(app, visit), { waitUntil: 'load' })
        await settle(page)
        return findViolations(page, tools.axe)
      })
      if (typeof found === 'string') {
        unproven[`accessibility of page ${pattern}`] = found
        return
      }
      results.set(pattern, formatViolations(found))
      details.push(...found.map((each) => ({ place: pattern, ...each })))
    },
    lanes,
  )
  await runAll(
    listScreens(app.facts),
    async (screen) => {
      const found = await checkScreen(screen, visits, app, tools)
      if (typeof found === 'string') {
        unproven[`accessibility of screen ${screen.name}`] = found
        return
      }
      const properties = { accessibility: formatViolations(found.violations) }
      screenEntries.push({ kind: 'screen', name: screen.name, properties })
      const place = `${screen.name}, shown for ${found.path}`
      details.push(...found.violations.map((each) => ({ place, ...each })))
    },
    lanes,
  )
  const entries = app.entries.map((entry) => {
    const accessibility = entry.kind === 'page' ? results.get(entry.name) : undefined
    if (accessibility === undefined) return entry
    return { ...entry, properties: { ...entry.properties, accessibility } }
  })
  return { entries: [...entries, ...screenEntries], details: details.sort(byPlace), unproven }
}

/** Lists the pages with the first persona that gets each page. */
function listVisits({ facts, personas, findSamples, entries }: CheckedApp): Visit[] {
  const pages = facts.routes.filter(({ kind }) => kind === 'page')
  return pages.flatMap((page): Visit[] => {
    const entry = entries.find(({ kind, name }) => kind === 'page' && name === page.pattern)
    if (!entry) return []
    for (const { label, path } of findSamples(page)) {
      for (const persona of personas.keys()) {
        const access = accessOf(entry, { persona, how: label })
        if (access?.startsWith('200')) return [{ page, persona, path }]
      }
    }
    return []
  })
}

const states: Readonly<Record<Screen['role'], PageState>> = {
  loading: { kind: 'loading' },
  error: { kind: 'failed', digest: 'contract' },
  // The digests of errors that `notFound()` and similar functions throw.
  'not-found': { kind: 'failed', digest: 'WAYMARK;404' },
  forbidden: { kind: 'failed', digest: 'WAYMARK;403' },
  unauthorized: { kind: 'failed', digest: 'WAYMARK;401' },
}

const maxAttempts = 3

type CheckedScreen = {
  readonly violations: readonly Violation[]
  /** Path of the page that showed the screen. */
  readonly path: string
}

/** @returns the reason if the screen couldn't be shown */
async function checkScreen(
  screen: Screen,
  visits: readonly Visit[],
  app: CheckedApp,
  tools: Tools,
): Promise<CheckedScreen | string> {
  let reason = 'no page was found that shows it'
  const targets = visits.filter(({ page }) => screen.pages.includes(page))
  if (targets.length === 0 && screen.name === 'not-found /') return checkUnknownUrl(app, tools)
  for (const target of targets.slice(0, maxAttempts)) {
    const start = findStart(screen, target, { visits, facts: app.facts })
    const found = await inPage(app, tools, target.persona, async (page) => {
      const navigation = {
        start: start ? urlOf(app, start) : app.origin + app.facts.basePath + nowhere,
        target: urlOf(app, target),
        state: states[screen.role],
      }
      const problem = await openState(page, navigation, tools.server)
      return problem ?? findViolations(page, tools.axe)
    })
    if (typeof found !== 'string') return { violations: found, path: target.path }
    reason = found
  }
  return reason
}

/** A path that no app has, and at which each shows its not-found screen. */
const nowhere = '/waymark-contract/no/such/page'

/** Checks the root's not-found screen in an app without a root layout, where no page shows it. */
async function checkUnknownUrl(app: CheckedApp, tools: Tools): Promise<CheckedScreen | string> {
  const found = await inPage(app, tools, anonymous, async (page) => {
    const response = await page.goto(app.origin + app.facts.basePath + nowhere)
    if (response?.status() !== 404) return `the app has a page at ${nowhere}`
    await settle(page)
    return findViolations(page, tools.axe)
  })
  return typeof found === 'string' ? found : { violations: found, path: nowhere }
}

/**
 * Finds a page from which a navigation shows a screen: a page with the same root layout, because
 * the browser otherwise loads a document, and outside of the screen's folder if possible.
 */
function findStart(
  screen: Screen,
  { page, persona }: Visit,
  { visits, facts }: { readonly visits: readonly Visit[]; readonly facts: BuildFacts },
): Visit | null {
  const froms = facts.interceptions
    .filter(({ pattern }) => pattern === page.pattern)
    .map(({ from }) => from)
  const starts = visits.filter(
    (each) =>
      each.page !== page &&
      each.persona === persona &&
      each.page.layouts[0]?.file === page.layouts[0]?.file &&
      !froms.some((from) => isBelow(each.page.pattern, from)),
  )
  const outside = starts.find((each) => !each.page.screens.some(({ file }) => file === screen.file))
  return outside ?? starts[0] ?? null
}

function isBelow(pattern: string, parent: string): boolean {
  return parent === '/' || pattern === parent || pattern.startsWith(`${parent}/`)
}

/** Opens a browser page as a persona. @returns the reason if the page couldn't be used */
async function inPage<Result>(
  { origin, personas }: CheckedApp,
  { browser }: Tools,
  persona: string,
  use: (page: Page) => Promise<Result>,
): Promise<Result | string> {
  // A service worker would answer requests before they can be changed.
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    extraHTTPHeaders: { ...personas.get(persona)?.headers },
  })
  context.setDefaultTimeout(15_000)
  try {
    const cookies = browserCookies(origin, personas.get(persona)?.cookies ?? {})
    if (cookies.length > 0) await context.addCookies(cookies)
    return await use(await context.newPage())
  } catch (error) {
    return firstLine(String(error))
  } finally {
    await context.close()
  }
}

function urlOf({ origin, facts }: CheckedApp, { path }: Visit): string {
  return origin + facts.basePath + path
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

function byPlace(a: AccessibilityDetail, b: AccessibilityDetail): number {
  return a.place < b.place ? -1 : a.place > b.place ? 1 : 0
}
