import type { Page } from 'playwright-core'

/** The panel, as an app's tests can't see it: in a shadow root that is closed. */
export async function openRoots(page: Page, isPerson: boolean): Promise<void> {
  await page.addInitScript((isPerson) => {
    const { attachShadow } = Element.prototype
    Element.prototype.attachShadow = function (init) {
      return attachShadow.call(this, { ...init, mode: 'open' })
    }
    if (isPerson) Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })
  }, isPerson)
}

/** Opens the panel, and closes it. */
export const shortcut = 'Alt+Shift+KeyD'

export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
/** The content of the open tab. */
export const content = (page: Page) => page.getByRole('tabpanel')
