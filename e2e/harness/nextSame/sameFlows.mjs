/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {(page: Page, origin: string) => Promise<unknown>} Flow
 */

/**
 * Waits until a component of the page is interactive.
 * @param {Page} page
 */
const ready = async (page) => {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(300)
}

/**
 * Creates a flow that scrolls a page and then follows a link.
 * @param {string} start @param {number} y @param {string} link @param {string} heading
 * @returns {Flow}
 */
const scrolled = (start, y, link, heading) => async (page, origin) => {
  await page.goto(`${origin}/scroll/${start}`)
  await ready(page)
  await page.evaluate((to) => window.scrollTo(0, to), y)
  await page.getByRole('link', { name: link, exact: true }).click()
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  await page.waitForURL(`${origin}/scroll/${link}`)
  await page.waitForTimeout(400)
  return page.evaluate(() => Math.round(window.scrollY))
}

/** @type {Record<string, Flow>} */
export const flows = {
  'an action that redirects': async (page, origin) => {
    await page.goto(`${origin}/flow`)
    await ready(page)
    /** @type {string[]} */
    const requests = []
    page.on('request', (request) => {
      if (/fetch|xhr|document/.test(request.resourceType())) requests.push(request.method())
    })
    await page.getByRole('button', { name: 'Go' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    await page.waitForTimeout(300)
    return requests
  },
  'after() of an action': async (page, origin) => {
    await page.request.get(`${origin}/log`)
    await page.goto(`${origin}/after/action`)
    await ready(page)
    await page.getByRole('button', { name: 'Act' }).click()
    await page.waitForTimeout(600)
    return (await page.request.get(`${origin}/log`)).json()
  },
  'enable() of an action': async (page, origin) => {
    await page.goto(`${origin}/draft/action`)
    await ready(page)
    const before = await page.locator('h1').textContent()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.waitForTimeout(600)
    return [before, await page.locator('h1').textContent()]
  },
  'scroll: its first pixel is in sight': scrolled('one', 100, 'two', 'two'),
  'scroll: it begins above': scrolled('one', 1000, 'two', 'two'),
  'scroll: another query, from below': scrolled('two', 1000, 'two?sort=up', 'two'),
  'scroll: another query, in sight': scrolled('two', 100, 'two?sort=up', 'two'),
  'scroll: it begins far below': scrolled('one', 0, 'low/one', 'low one'),
  'scroll: within a layout far below': scrolled('low/one', 2100, 'low/two', 'low two'),
  'scroll: within a layout far below, in sight': scrolled('low/one', 1900, 'low/two', 'low two'),
  'scroll: a fixed modal': scrolled('one', 1000, 'fixed', 'modal'),
}
