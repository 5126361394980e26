import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { payloadUrl } from 'waymark/plugin/node'
import {
  awaitOutcome,
  awaitSettled,
  type Finding,
  missingLines,
  type Sight,
  signatureOf,
} from './drillLoad.ts'
import {
  conclude,
  type DrilledRoute,
  type DrillOptions,
  type DrillResult,
  type Lane,
  type Undisturbed,
} from './drillResult.ts'
import { type DrillFault, isTargeted, nowhere } from './faultList.ts'

/**
 * Loads a page twice without any fault. Loads with a fault must later show the content that both
 * undisturbed loads have in common.
 */
export async function loadUndisturbed(
  route: DrilledRoute,
  lane: Lane,
  options: DrillOptions,
  report: (result: DrillResult) => void,
): Promise<Undisturbed | null> {
  const { withinMs, config } = options
  const { pattern, pathname } = route
  const place = { route: pattern, pathname, fault: null, options }
  const load = () =>
    lane.visit(async (page) => {
      const beganMs = performance.now()
      const opening = page.goto(pathname, { waitUntil: 'commit', timeout: withinMs })
      const response = await opening.catch(() => null)
      const sight = response && (await awaitSettled(page, withinMs, config.screen))
      const ms = Math.round(performance.now() - beganMs)
      const status = response?.status() ?? 0
      const isWhole = sight !== null && status < 400 && !sight.hasScreen
      const text = sight ? `status ${status}` : `no response within ${withinMs} ms`
      const outcome = isWhole ? 'arrived' : sight ? 'screen' : 'stuck'
      const finding: Finding = { outcome, ms, problem: isWhole ? null : text }
      return { sight, result: await conclude(finding, { ...place, page }) }
    })
  const first = await load()
  if (!first.result.isOk || !first.sight) {
    report(first.result)
    return null
  }
  const second = await load()
  report(second.result)
  if (!second.result.isOk || !second.sight) return null
  const [document, data] = await Promise.all([
    readBytes(options.origin + pathname, options).then(textEnd),
    readBytes(options.origin + payloadUrl(pathname, ''), options).then((data) => data.length),
  ])
  return { route, first: first.sight, second: second.sight, bytes: { document, data } }
}

async function readBytes(url: string, { config, slowdown }: DrillOptions): Promise<Buffer> {
  const signal = AbortSignal.timeout(10_000 * slowdown)
  const pairs = Object.entries(config.cookies ?? {}).map(([name, value]) => `${name}=${value}`)
  const response = await fetch(url, { signal, headers: { cookie: pairs.join('; ') } })
  return Buffer.from(await response.arrayBuffer())
}

/** Returns the offset at which a document's HTML ends and React's data starts. */
function textEnd(document: Buffer): number {
  const body = Math.max(0, document.indexOf('<body'))
  const marks = [' type="text/x-component"', '(self.__waymark']
  const places = marks.map((mark) => document.indexOf(mark, body)).filter((at) => at > 0)
  return Math.min(document.length - 1, ...places)
}

/** Breaks one load of a page, and reports what a user sees. */
export async function drillLoad(
  job: { readonly page: Undisturbed; readonly start: string; readonly fault: DrillFault },
  { proxy, visit }: Lane,
  options: DrillOptions,
  report: (result: DrillResult) => void,
): Promise<void> {
  const { fault, start } = job
  const { route, first, second, bytes } = job.page
  const { config, withinMs, slowdown } = options
  const signature = signatureOf(first, second)
  const length = fault.target === 'document' ? bytes.document : bytes.data
  await visit(async (page) => {
    await fault.prepare?.(page)
    const isStored = !fault.isSeen || (await seeBefore(page, route.pathname, slowdown))
    const before = fault.way === 'click' ? await openStart(page, start, { fault, slowdown }) : null
    const screenBefore = before?.hasScreen ? before.pathname : nowhere
    const match = (request: Parameters<typeof isTargeted>[2]) =>
      isTargeted(fault.target, route.pathname, request)
    const rule = proxy.inject(fault.faultOf(length), { match, times: fault.times ?? 1e9 })
    if (fault.isOffline) await page.context().setOffline(true)
    const heal = async () => {
      rule.remove()
      if (fault.isOffline) await page.context().setOffline(false)
    }
    const healing = fault.endsAfterMs
      ? setTimeout(() => void heal().catch(() => {}), fault.endsAfterMs)
      : undefined
    if (fault.way === 'click') await clickAsPeopleDo(page, route.pathname, fault)
    else void page.goto(route.pathname, { waitUntil: 'commit' }).catch(() => {})
    await fault.disturb?.(page)
    const screen = config.screen === undefined ? {} : { screen: config.screen }
    // A page isn't notified if a script or style sheet fails, so wait for the whole time.
    const expected = { ...signature, screenBefore }
    const longestMs = Math.max(withinMs, (fault.withinMs ?? 0) * slowdown)
    const limit = { withinMs: longestMs, settleMs: 400, slowdown, ...screen }
    const load = await awaitOutcome(page, expected, limit)
    clearTimeout(healing)
    const missing = missingLines(load.sight, signature)
    const measured = withoutEnhancements({ ...load, problem: null, missing }, job)
    const finding: Finding =
      measured.outcome === 'stuck' && !isStored ? { ...measured, ...notStored } : measured
    const place = { route: route.pattern, pathname: route.pathname, fault, page, options }
    report(await conclude(finding, place))
  })

  /**
   * If a fault breaks scripts or the document, accepts a page without the content that scripts add,
   * but not a placeholder that scripts should have replaced.
   */
  function withoutEnhancements(
    finding: Finding & { readonly sight: Sight | null },
    { fault: { target }, page }: typeof job,
  ): Finding {
    const { outcome, sight } = finding
    if (!/^(scripts|document)$/.test(target) || outcome !== 'stuck' || !sight?.isPainted)
      return finding
    if (sight.pathname !== signature.pathname) return finding
    const whole = new Set([...page.first.lines, ...page.second.lines])
    return sight.lines.some((line) => !whole.has(line))
      ? finding
      : { ...finding, outcome: 'arrived' }
  }
}

const notStored = {
  outcome: 'not measured',
  problem: 'the service worker did not store the page before the network was switched off',
} as const

const cacheTimeoutMs = 5_000

/**
 * Opens a page, and waits until the service worker has cached the page. Private pages are never
 * cached, so the wait is limited.
 * @returns false if the page was not cached in time
 */
async function seeBefore(page: Page, pathname: string, slowdown: number): Promise<boolean> {
  await page.goto(pathname)
  const isCached = (path: string) => caches.match(path).then(Boolean)
  for (
    const endMs = performance.now() + cacheTimeoutMs * slowdown;
    performance.now() < endMs;
    await sleep(100)
  ) {
    if (await page.evaluate(isCached, pathname)) return true
  }
  return false
}

async function openStart(
  page: Page,
  start: string,
  { fault, slowdown }: { readonly fault: DrillFault; readonly slowdown: number },
): Promise<Sight | null> {
  await page.goto(start, { waitUntil: fault.isBeforeScripts ? 'commit' : 'load' })
  if (!fault.isBeforeScripts) return awaitSettled(page, 5_000 * slowdown, undefined)
  await page.waitForFunction(() => document.body !== null)
  return null
}

async function clickAsPeopleDo(page: Page, pathname: string, fault: DrillFault): Promise<void> {
  if (fault.before) {
    await clickLinkTo(page, fault.before.pathname ?? pathname)
    await sleep(fault.before.ms)
  }
  await clickLinkTo(page, pathname, fault.hoverMs)
}

/**
 * Clicks on a link that the drill adds to the page, so that it can navigate from any page to any
 * other.
 */
async function clickLinkTo(page: Page, pathname: string, hoverMs = 0): Promise<void> {
  await page.evaluate(
    async ([href, ms]) => {
      const link = Object.assign(document.createElement('a'), { href })
      document.body.append(link)
      if (ms > 0) link.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
      link.click()
      link.remove()
    },
    [pathname, hoverMs] as const,
  )
}
