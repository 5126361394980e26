import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import type { ProxiedRequest } from './harness/faults/fault.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { shortTimeouts } from './harness/shortTimeouts.ts'

const ofTarget = ({ target }: ProxiedRequest) => target.startsWith('/_waymark/data/target.rsc')
const notice = (page: Page) => page.locator('[data-waymark-notice]')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

/**
 * Records the texts that a screen reader announces: changes in live regions that already existed.
 */
function recordAnnouncements() {
  const heard: string[] = []
  const standing = new WeakSet<Node>()
  Object.assign(window, { heard })
  const look = () => {
    for (const region of document.querySelectorAll('[aria-live], [role=status]')) {
      standing.add(region)
    }
    requestAnimationFrame(look)
  }
  look()
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const element = target instanceof Element ? target : target.parentElement
      const region = element?.closest('[aria-live], [role=status]')
      if (!region || !standing.has(region) || !region.checkVisibility()) continue
      if (addedNodes.length > 0 && region.textContent) heard.push(region.textContent)
    }
  }).observe(document, { subtree: true, childList: true })
}

describeApp('notices', { app: 'overlays', files: shortTimeouts }, (served) => {
  const proxy = proxyBefore(served, ['/target'])

  /** Opens the fixture, and starts a navigation whose page data does not arrive. */
  async function visit() {
    const { page } = await openPage(proxy.now)
    await page.addInitScript(recordAnnouncements)
    await page.goto('/')
    await hydrated(page)
    proxy.now.inject({ kind: 'hang' }, { match: ofTarget })
    // Type a text, because the notice then stays until the person chooses.
    await page.getByLabel('Draft').fill('precious')
    return { page }
  }

  describe.each(['modal', 'trap'])('above a %s', (kind) => {
    async function inDialog() {
      const { page } = await visit()
      await button(page, `Open ${kind}`).click()
      const dialog = page.getByRole('dialog')
      await button(page, 'Go').click()
      await notice(page).waitFor()
      return { page, dialog }
    }

    test('a notice is on top, and only the notice gets a click', async () => {
      const { page, dialog } = await inDialog()
      const isOnTop = await notice(page).evaluate((node) => {
        const { x, y, width, height } = node.getBoundingClientRect()
        return node.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      })
      expect(isOnTop).toBe(true)
      await button(page, 'Cancel').click()
      await notice(page).waitFor({ state: 'detached' })
      expect(await dialog.isVisible()).toBe(true)
      expect(await focusedText(page)).toBe('Go')
    })

    test('the keyboard reaches it from the focused element, and returns', async () => {
      const { page, dialog } = await inDialog()
      await page.keyboard.press('Tab')
      expect(await focusedText(page)).toBe('Keep waiting')
      await page.keyboard.press('Shift+Tab')
      expect(await focusedText(page)).toBe('Go')
      await page.keyboard.press('F8')
      expect(await focusedText(page)).toBe('Keep waiting')
      await page.keyboard.press('Enter')
      await notice(page).waitFor({ state: 'detached' })
      expect([await focusedText(page), await dialog.isVisible()]).toEqual(['Go', true])
    })

    test('Escape closes it, and leaves the dialog open', async () => {
      const { page, dialog } = await inDialog()
      await page.keyboard.press('Escape')
      await notice(page).waitFor({ state: 'detached' })
      expect(await dialog.isVisible()).toBe(true)
      // The notice appears again, because the navigation is still waiting.
      await notice(page).waitFor()
      await page.keyboard.press('Escape')
      await notice(page).waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    })

    test('an earlier notice is on top of a later dialog', async () => {
      const { page } = await visit()
      await page.getByRole('link', { name: 'Target' }).click()
      await notice(page).waitFor()
      await button(page, `Open ${kind}`).click()
      await button(page, 'Keep waiting').click()
      await notice(page).waitFor({ state: 'detached' })
      await notice(page).waitFor()
      await button(page, 'Close').click()
      await button(page, 'Cancel').click()
      await notice(page).waitFor({ state: 'detached' })
    })
  })

  test('a notice is announced once, even above a dialog that opens later', async () => {
    const { page } = await visit()
    const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
    await page.getByRole('link', { name: 'Target' }).click()
    await notice(page).waitFor()
    await expect.poll(heard).toEqual(['This page is taking longer than usual.'])
    await button(page, 'Open modal').click()
    await page.waitForTimeout(500)
    expect(await heard()).toEqual(['This page is taking longer than usual.'])
  })

  test.each(['Keep waiting', 'Cancel'])('after %s the focus is where it was', async (name) => {
    const { page } = await visit()
    await page.getByRole('link', { name: 'Target' }).focus()
    await page.keyboard.press('Enter')
    await notice(page).waitFor()
    await button(page, name).click()
    await notice(page).waitFor({ state: 'detached' })
    expect(await focusedText(page)).toBe('Target')
  })

  test('if nothing had the focus, it moves to the heading', async () => {
    const { page } = await visit()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.evaluate(() => document.querySelector('a')?.click())
    await notice(page).waitFor()
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).toBe('Keep waiting')
    await page.keyboard.press('Enter')
    await notice(page).waitFor({ state: 'detached' })
    expect(await focusedText(page)).toBe('Start')
  })

  test('Tab does not move somebody who types into the notice', async () => {
    const { page } = await visit()
    await page.getByRole('link', { name: 'Target' }).click()
    await page.getByLabel('Draft').focus()
    await notice(page).waitFor()
    await page.keyboard.type('more')
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).toBe('Open modal')
  })

  test('a page that arrives while the notice has the focus gets the focus', async () => {
    const { page } = await visit()
    proxy.now.clear()
    proxy.now.inject({ kind: 'delay', ms: 4000 }, { match: ofTarget })
    await page.getByRole('link', { name: 'Target' }).click()
    await notice(page).waitFor()
    await page.keyboard.press('F8')
    expect(await focusedText(page)).toBe('Keep waiting')
    await page.getByRole('heading', { name: 'Target' }).waitFor()
    await expect.poll(() => focusedText(page)).toBe('Target')
    expect(await notice(page).count()).toBe(0)
  })
})
