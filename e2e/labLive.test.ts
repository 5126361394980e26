import type { FrameLocator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp, describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const frameOf = (page: Page, visitor: string) => page.frameLocator(`iframe[title="${visitor}"]`)
const entries = (frame: FrameLocator) => frame.getByRole('listitem').allTextContents()
const field = (frame: FrameLocator) => frame.getByLabel('What else?')
const freshness = (frame: FrameLocator) => frame.locator('footer output').textContent()

/**
 * Chromium's warning about resources that the menu's links have prefetched, and that weren't used
 * within a few seconds.
 */
const unusedPreload = /preloaded using link preload/

/** Opens two frames that follow the same board. */
async function openFrames(page: Page) {
  const follows = page.waitForResponse((response) => response.url().endsWith('/_waymark/live'))
  await page.goto('/lab/live')
  await follows
  const one = frameOf(page, 'One visitor')
  const other = frameOf(page, 'Another visitor')
  for (const frame of [one, other]) await expect.poll(() => entries(frame)).toHaveLength(3)
  await page.waitForLoadState('load')
  for (const frame of [one, other]) await hydratedElement(field(frame))
  return [one, other] as const
}

async function add(frame: FrameLocator, text: string): Promise<void> {
  await field(frame).fill(text)
  await frame.getByRole('button', { name: 'Add' }).click()
  await expect.poll(() => entries(frame)).toContain(text)
}

describeApp('the lab of live data', { app: 'site' }, (served) => {
  test('a change in one frame appears in the other, and typed text stays', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const [one, other] = await openFrames(page)
    await field(other).fill('half a sen')
    const startedAtMs = Date.now()
    await add(one, 'A rope')
    await expect.poll(() => entries(other)).toContain('A rope')
    // Expect a push: a page that polls would ask only every ten seconds.
    expect(Date.now() - startedAtMs).toBeLessThan(8_000)
    expect(await field(other).inputValue()).toBe('half a sen')
    await other.getByRole('button', { name: 'A rope' }).click()
    const rope = one.getByRole('button', { name: 'A rope', pressed: true })
    await rope.waitFor({ timeout: 8_000 })
    await expect.poll(() => freshness(one)).toBe('Up to date')
    expectQuietConsole([unusedPreload])
  })
})

const inProduction = { app: 'site', modes: ['production'] } as const

describeModes('the lab of live data, built', inProduction, (served) => {
  test('a cut connection is shown, and the board catches up', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const [one, other] = await openFrames(page)
    const cut = page.getByRole('button', { name: 'Cut the connection' })
    await cut.click()
    await add(one, 'While cut')
    await expect.poll(() => freshness(other), { timeout: 6_000 }).toContain('Behind since')
    expect(await entries(other)).not.toContain('While cut')
    await cut.click()
    await expect.poll(() => entries(other)).toContain('While cut')
    await expect.poll(() => freshness(other)).toBe('Up to date')
    expectQuietConsole([unusedPreload])
  })

  test('ten changes within a second have the same result in both frames', async () => {
    const { page } = await openPage(served.app)
    const [one, other] = await openFrames(page)
    const ticked = (frame: FrameLocator) =>
      frame.getByRole('button', { pressed: true }).allTextContents()
    await page.getByRole('button', { name: 'Change the board ten times' }).click()
    const all = await entries(one)
    for (const frame of [one, other]) await expect.poll(() => ticked(frame)).toEqual(all)
  })

  test('a board has space for six lines of forty characters, and has its own address', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/lab/live')
    const address = (await page.getAttribute('iframe', 'src')) ?? ''
    await page.goto(address)
    for (let at = 1; at <= 5; at++) {
      await page.getByLabel('What else?').evaluate(
        (input, text) => {
          ;(input as HTMLInputElement).value = text
        },
        `${at} ${'x'.repeat(100)}`,
      )
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByText(`${at} xxx`).waitFor()
    }
    const texts = await page.getByRole('listitem').allTextContents()
    expect(texts).toHaveLength(6)
    expect(texts.at(-1)).toBe(`5 ${'x'.repeat(38)}`)
    for (const id of ['no-board', `${address.split('/').at(-1)}0`]) {
      expect((await served.fetch(`/lab/live/${id}`)).status).toBe(404)
    }
  })

  test.each(['light', 'dark'] as const)('fits a phone, %s', async (colorScheme) => {
    const { page } = await openPage(served.app, { colorScheme })
    await page.setViewportSize({ width: 375, height: 700 })
    await openFrames(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
    for (const frame of page.frames().slice(1)) {
      const [inside, outside] = await frame.evaluate(() => [
        document.documentElement.scrollHeight,
        innerHeight,
      ])
      expect(inside).toBe(outside)
    }
  })
})
