import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { wake } from './wake.ts'

/**
 * Whether React has taken over the document. It marks elements while it hydrates them; what is clicked before it has
 * done all of them is lost, as where the code of a component is still on its way.
 */
export const isHydrated = (page: Page) =>
  page.evaluate(() => {
    const marked = (node: Node, mark: string) =>
      Object.entries(node).find(([key]) => key.startsWith(mark))?.[1]
    const root = marked(document, '__reactContainer')?.stateNode.current
    return Boolean(marked(document.body, '__reactFiber')) && !root?.memoizedState?.isDehydrated
  })

/**
 * Waits until React has taken over the page, which it is made to: React attaches its effects within the frames after
 * that.
 */
export async function hydrated(page: Page): Promise<void> {
  const isAwake = async () => {
    // Before the entry runs, nobody hears of it.
    await wake(page)
    return isHydrated(page)
  }
  // As long as a document may take: a dev server prepares packages that it meets for the first time.
  await expect.poll(isAwake, { timeout: 30_000 }).toBe(true)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
