import type { Page } from 'playwright-core'

/**
 * Has a page load React that would do without until a navigation is likely: a form of the app is
 * focused, for a moment.
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
