import type { Page } from 'playwright-core'

/**
 * Makes a page load React, which the page would otherwise delay until a navigation is likely: focuses
 * a form of the app for a moment.
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
