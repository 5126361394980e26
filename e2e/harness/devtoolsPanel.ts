import type { Page } from 'playwright-core'

/** Opens the panel's shadow root, which is closed to an app's tests. */
export async function openRoots(page: Page, isPerson: boolean): Promise<void> {
  await page.addInitScript((isPerson) => {
    const { attachShadow } = Element.prototype
    Element.prototype.attachShadow = function (init) {
      return attachShadow.call(this, { ...init, mode: 'open' })
    }
    if (isPerson) Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })
  }, isPerson)
}

/** The keys that open and close the panel. */
export const shortcut = 'Alt+Shift+KeyD'

export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
/** The content of the open tab. */
export const content = (page: Page) => page.getByRole('tabpanel')
