import type { Page } from 'playwright-core'
import { sharedBrowser } from '../harness/browser.ts'
import type { Attack } from './batch.ts'
import { rawLabel } from './generatedAppAttacks.ts'
import { pwnedName } from './injections.ts'
import type { AttackRequest } from './request.ts'
import type { Target } from './target.ts'

/** True if a browser should open the response to a request. */
export function looksLikeRaw({ request }: Attack): boolean {
  const { label, method, behaviour, target } = request
  const isPlain = behaviour === 'stays' && target.startsWith('/')
  return label === rawLabel && method === 'GET' && isPlain
}

const patienceMs = 4_000
const settleMs = 30

/**
 * Opens a page that contains a client's raw HTML in a browser.
 * @returns the violation, if a script of the client ran or its text replaced the page
 */
export async function visitRaw(
  { port }: Target,
  { target }: AttackRequest,
): Promise<'a script ran' | 'the page was replaced' | null> {
  const browser = await sharedBrowser()
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    // Block requests to other machines.
    await page.route(
      (url) => url.hostname !== 'localhost',
      (route) => route.abort(),
    )
    const response = await page
      .goto(`http://localhost:${port}${target}`, { waitUntil: 'commit' })
      .catch(() => null)
    await page.waitForFunction(isSettled, pwnedName, { timeout: patienceMs }).catch(() => null)
    await page.waitForTimeout(settleMs)
    const verdict = await readVerdict(page)
    // A fallback screen shows none of the client's HTML, so it may lack the app's marker.
    const isFallback = response !== null && response.status() >= 400
    return verdict === 'the page was replaced' && isFallback ? null : verdict
  } finally {
    await context.close()
  }
}

function isSettled(name: string): boolean {
  const isOriginalReady = document.querySelector('[data-original="ready"]') !== null
  const isForged = document.querySelector('#root-forged') !== null
  return isOriginalReady || isForged || name in window
}

async function readVerdict(page: Page): Promise<'a script ran' | 'the page was replaced' | null> {
  const [hasRun, isOriginal] = await page
    .evaluate(
      (name) => [name in window, document.querySelector('[data-original]') !== null] as const,
      pwnedName,
    )
    .catch(() => [false, true] as const)
  if (hasRun) return 'a script ran'
  return isOriginal ? null : 'the page was replaced'
}
