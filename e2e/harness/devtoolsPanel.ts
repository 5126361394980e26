import type { Page } from 'playwright-core'

/**
 * Makes the panel's shadow root open, because it is closed to the tests of an app.
 * @param isPerson true to hide from the page that the browser is automated
 */
export async function openRoots(page: Page, isPerson: boolean): Promise<void> {
  await page.addInitScript((isPerson) => {
    const { attachShadow } = Element.prototype
    Element.prototype.attachShadow = function (init) {
      return attachShadow.call(this, { ...init, mode: 'open' })
    }
    if (isPerson) Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })
  }, isPerson)
}

/** Keyboard shortcut that opens and closes the panel. */
export const shortcut = 'Alt+Shift+KeyD'

export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
/** Returns the content of the selected tab. */
export const content = (page: Page) => page.getByRole('tabpanel')
