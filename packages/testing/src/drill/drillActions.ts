import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { DrillAction } from './drillConfig.ts'
import { type Finding, lookAt } from './drillLoad.ts'
import { type DrillFault, isTargeted } from './faultList.ts'
import type { FaultProxy } from './faultProxy.ts'

/** Milliseconds that an action may take, on a machine that isn't busy. */
const usualWithinMs = 12_000
const pollMs = 100
// Milliseconds to wait for a second effect, which would be a bug in the app.
const settleMs = 1_000

/**
 * Runs an action while a fault breaks its request, ends the fault, presses the retry button in the
 * notice, and counts the effects. Exactly one effect is correct.
 */
export async function drillAction(
  action: DrillAction,
  fault: DrillFault,
  {
    page,
    proxy,
    origin,
    slowdown,
  }: { page: Page; proxy: FaultProxy; origin: string; slowdown: number },
): Promise<Finding> {
  const withinMs = usualWithinMs * slowdown
  const count = async () => action.effects(await readerOf(page, origin, slowdown))
  await page.goto(action.path, { waitUntil: 'load' })
  await awaitInteractive(page, slowdown)
  const before = await count()
  const match = (request: Parameters<typeof isTargeted>[2]) =>
    isTargeted('actions', action.path, request)
  const rule = proxy.inject(fault.faultOf(0), { match, times: fault.times ?? 1e9 })
  const healing = setTimeout(() => rule.remove(), fault.endsAfterMs ?? withinMs)
  const beganMs = performance.now()
  const elapsed = () => Math.round(performance.now() - beganMs)
  try {
    await action.run(page)
    let outcome: Finding['outcome'] = 'stuck'
    while (elapsed() < withinMs && outcome === 'stuck') {
      if ((await lookAt(page, undefined, slowdown))?.hasNotice) outcome = 'notice'
      else if (rule.hits > 0 && (await count()) > before) outcome = 'arrived'
      else await sleep(pollMs)
    }
    const ms = elapsed()
    rule.remove()
    if (rule.hits === 0)
      return { outcome, ms, problem: 'the action sent no request that the fault could break' }
    await sleep(settleMs)
    await pressRetry(page)
    while ((await count()) === before && elapsed() < 2 * withinMs) {
      await sleep(settleMs)
      // A busy page may have missed the click, so press the button again if the notice is still
      // visible.
      await pressRetry(page)
    }
    await sleep(settleMs)
    const effects = (await count()) - before
    if (effects === 1)
      return { outcome: outcome === 'stuck' ? 'arrived' : outcome, ms, problem: null }
    const problem =
      effects === 0 ? 'the action had no effect' : `the effect happened ${effects} times`
    return { outcome, ms, problem }
  } catch (thrown) {
    return { outcome: 'stuck', ms: elapsed(), problem: String(thrown).split('\n', 1)[0] ?? '' }
  } finally {
    clearTimeout(healing)
  }
}

/**
 * Presses the retry button of an action's notice. It is the last button but one; the last one
 * cancels the action.
 */
async function pressRetry(page: Page): Promise<void> {
  const retry = page.locator('[data-waymark-notice] button').nth(-2)
  // The page may have retried automatically and removed the button, so ignore a failed click.
  if (await retry.isVisible()) await retry.click({ timeout: 1000 }).catch(() => {})
}

/** Waits until the page's scripts handle clicks. A page without React is ready immediately. */
async function awaitInteractive(page: Page, slowdown: number): Promise<void> {
  const isReady = () =>
    !document.querySelector('[data-waymark-interactive]') ||
    Object.keys(document.body).some((key) => key.startsWith('__react'))
  await page.waitForFunction(isReady, undefined, { timeout: 5000 * slowdown }).catch(() => {})
  await sleep(300)
}

async function readerOf(
  page: Page,
  origin: string,
  slowdown: number,
): Promise<(path: string) => Promise<string>> {
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return async (path) => {
    const signal = AbortSignal.timeout(10_000 * slowdown)
    const response = await fetch(new URL(path, origin), { headers: { cookie }, signal })
    return response.text()
  }
}
