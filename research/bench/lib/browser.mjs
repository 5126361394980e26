/**
 * Code that the browser benches share: the browser, a slower network, and functions that run in a
 * page.
 */
import { chromium } from 'playwright-core'
import { chromium as systemChromium } from '../../../scripts/workspace/systemTools.mjs'

/**
 * @param {import('playwright-core').LaunchOptions} options launch options, without the path of the
 *   browser
 * @throws with a hint how to install Chromium if there is no Chromium
 */
export function launchBrowser(options = {}) {
  const executablePath = systemChromium.find()
  if (executablePath === null) throw new Error(systemChromium.hint())
  return chromium.launch({ executablePath, chromiumSandbox: false, ...options })
}

/**
 * Calls `act` with a page in a new browser context.
 * @param {import('playwright-core').Browser} browser
 * @param {string} baseURL
 * @param {(page: import('playwright-core').Page) => Promise<any>} act
 */
export async function inPage(browser, baseURL, act) {
  const context = await browser.newContext({ baseURL })
  try {
    return await act(await context.newPage())
  } finally {
    await context.close()
  }
}

/** Adds `latency` milliseconds to each request of a page. */
export async function slowDown(page, latency) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const unlimited = { downloadThroughput: -1, uploadThroughput: -1, offline: false }
  await session.send('Network.emulateNetworkConditions', { latency, ...unlimited })
}

/** True if React has hydrated the document. Runs in the page. */
export function isInteractive() {
  const button = document.querySelector('button')
  return button !== null && Object.keys(button).some((key) => key.startsWith('__reactProps'))
}

/**
 * Clicks the counter until it has counted, which means that the page is interactive, in any framework.
 * Runs in the page.
 */
export function countedOnce() {
  const button = document.querySelector('button.counter')
  if (button?.textContent.endsWith(' 0')) button.click()
  return button?.textContent.endsWith(' 1') === true
}

/** Measures from the click until the frame with the heading of the other page. Runs in the page. */
export function clickAndWait(path) {
  return new Promise((resolve) => {
    const link = document.querySelector(`a[href="${path}"]`)
    const startedAt = performance.now()
    const isThere = () =>
      [...document.querySelectorAll('h1')].some(
        (each) => each.textContent === 'A page with 100 items' && each.checkVisibility(),
      )
    const observer = new MutationObserver(() => {
      if (!isThere()) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.now() - startedAt))
    })
    observer.observe(document, { childList: true, subtree: true, attributes: true })
    link.click()
  })
}
