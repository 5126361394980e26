import type { Page } from 'playwright-core'

/**
 * Makes a page load React by focusing a form of the app for a moment. Otherwise, the page would
 * load React only when a navigation is likely.
 */
export async function wake(page: Page): Promise<void> {
  await page.evaluate(() => {
    const form = document.createElement('form')
    form.setAttribute('data-waymark-form', '')
    document.documentElement.append(form)
    form.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
    form.remove()
  })
}
