import { chromium as engine } from 'playwright-core'
import { say } from '../../scripts/workspace/run.mjs'
import { chromium } from '../../scripts/workspace/systemTools.mjs'
import { saysForeign, stayOn } from './clickThrough.mjs'

const mostPages = 60

/**
 * Opens pages as documents, and clicks each of their links to a page that was not visited yet.
 * @param {string} origin
 * @param {readonly string[]} starts
 * @param {{ skipped: readonly string[], begin: import('./clickThrough.mjs').Step | undefined }}
 *   options `begin` is the first step, such as a sign-in
 * @returns {Promise<import('./suite.mjs').Count>}
 */
export async function followLinks(origin, starts, { skipped, begin }) {
  const executablePath = chromium.find()
  if (executablePath === null) throw new Error(chromium.hint())
  const browser = await engine.launch({ executablePath, args: ['--no-sandbox'] })
  /** @type {string[]} */
  const failures = []
  let passed = 0
  try {
    const viewport = { width: 1440, height: 1000 }
    const context = await browser.newContext({ baseURL: origin, viewport })
    await stayOn(context, origin)
    context.setDefaultTimeout(15_000)
    await begin?.(await context.newPage())
    const queue = [...starts]
    const seen = new Set([...queue, ...skipped])
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const visit = () => visitPage(context, { origin, path: path ?? '', seen, queue })
      const first = await visit()
      // Visits the page once more, because a busy machine may be late.
      const complaints = first.length === 0 ? [] : await visit()
      if (complaints.length === 0) passed += 1
      for (const each of new Set(complaints)) failures.push(`${path}: ${each}`)
      say(`  ${complaints.length === 0 ? 'passed' : 'failed'}: ${path}`)
    }
  } finally {
    await browser.close()
  }
  return { passed, failures }
}

/**
 * @param {import('playwright-core').BrowserContext} context
 * @param {{ origin: string, path: string, seen: Set<string>, queue: string[] }} visit
 * @returns {Promise<string[]>} the errors
 */
async function visitPage(context, { origin, path, seen, queue }) {
  const page = await context.newPage()
  const complaints = listen(page, origin)
  try {
    const hrefs = await openDocument(page, origin + path)
    for (const href of hrefs.filter((each) => !seen.has(each)).slice(0, mostPages - seen.size)) {
      seen.add(href)
      queue.push(href)
      await page.goto(origin + path, { waitUntil: 'load' })
      await clickLink(page, href)
    }
  } catch (error) {
    complaints.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  } finally {
    await page.close()
  }
  return complaints
}

/** @param {import('playwright-core').Page} page @param {string} origin */
function listen(page, origin) {
  /** @type {string[]} */
  const complaints = []
  page.on('pageerror', ({ message }) => {
    if (!saysForeign(message, origin)) complaints.push(message.slice(0, 300))
  })
  page.on('response', (response) => {
    if (response.url().startsWith(origin) && response.status() >= 500)
      complaints.push(`${response.status()} for ${response.url()}`)
  })
  page.on('console', (message) => {
    // The last part matches a script that only the servers of a hosting service have.
    const isForeign = /Failed to load resource|net::ERR|ERR_FAILED|\/_vercel\//.test(message.text())
    if (message.type() === 'error' && !isForeign) complaints.push(message.text().slice(0, 300))
  })
  return complaints
}

/** @param {import('playwright-core').Page} page @param {string} url */
async function openDocument(page, url) {
  const response = await page.goto(url, { waitUntil: 'load' })
  const status = response?.status() ?? 0
  if (status >= 400) throw new Error(`The document has the status ${status}.`)
  await page.waitForTimeout(500)
  const hrefs = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => /** @type {HTMLAnchorElement} */ (link).href))
  const origin = new URL(page.url()).origin
  return [
    ...new Set(
      hrefs
        .map((href) => new URL(href, url))
        .filter((link) => link.origin === origin && !/\.\w+$/.test(link.pathname))
        .map(({ pathname, search }) => pathname + search),
    ),
  ].filter((path) => path !== new URL(url).pathname)
}

/**
 * Clicks a link as a user, or with a script if the link is not visible.
 * @param {import('playwright-core').Page} page
 * @param {string} path
 */
async function clickLink(page, path) {
  await page.waitForTimeout(300)
  const clicked = await page.locator('a[href]').evaluateAll((links, wanted) => {
    const isWanted = (/** @type {HTMLAnchorElement} */ { href, target }) => {
      const { pathname, search } = new URL(href)
      return pathname + search === wanted && target !== '_blank'
    }
    const link = /** @type {HTMLAnchorElement[]} */ (links).find(isWanted)
    link?.click()
    return link !== undefined
  }, path)
  if (!clicked) return
  await page
    .waitForFunction(
      (wanted) => location.pathname + location.search !== wanted,
      new URL(page.url()).pathname,
      { timeout: 5000 },
    )
    .catch(() => {})
  await page.waitForTimeout(500)
}
