import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { mergeViolations, type Violation } from './violations.ts'

/** Reads axe's script from the app's packages. Returns `null` if axe-core isn't installed. */
export function readAxe(root: string): string | null {
  for (const from of [join(root, 'package.json'), import.meta.url]) {
    try {
      return readFileSync(createRequire(from).resolve('axe-core/axe.min.js'), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return null
}

// The rules of WCAG 2.2, levels A and AA.
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

type AxeResults = {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    /** One selector for each document or shadow root around the element. */
    readonly nodes: readonly { readonly target: readonly (string | readonly string[])[] }[]
  }[]
}

/** Finds the violations of a page in both colour schemes. @param axe the script of axe */
export async function findViolations(page: Page, axe: string): Promise<Violation[]> {
  await page.evaluate(axe)
  const inLight = await runAxe(page, { type: 'tag', values: tags })
  await page.emulateMedia({ colorScheme: 'dark' })
  await settle(page)
  const inDark = await runAxe(page, { type: 'rule', values: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return mergeViolations(inLight, inDark)
}

type RunOnly = { readonly type: 'tag' | 'rule'; readonly values: readonly string[] }

async function runAxe(page: Page, runOnly: RunOnly): Promise<Violation[]> {
  const { violations } = await page.evaluate((only) => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    // The contents of frames belong to other pages.
    return axe.run({ runOnly: only, resultTypes: ['violations'], iframes: false })
  }, runOnly)
  return violations.map(({ id, help, nodes }) => ({
    rule: id,
    help,
    selectors: nodes.map(({ target }) => target.flat().join(' ')),
  }))
}

const quietMs = 150
const longestMs = 3_000

/** Waits until a page has its fonts, its transitions have ended, and its elements no longer change. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(
    async ({ quiet, longest }) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const endsBy = performance.now() + longest
      let changedAt = performance.now()
      const observer = new MutationObserver(() => {
        changedAt = performance.now()
      })
      const observed = { subtree: true, childList: true, characterData: true, attributes: true }
      observer.observe(document, observed)
      const moves = ({ effect, playState }: Animation) =>
        playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
      const isQuiet = () =>
        performance.now() - changedAt >= quiet && !document.getAnimations().some(moves)
      while (!isQuiet() && performance.now() < endsBy) await frame()
      observer.disconnect()
      await Promise.race([document.fonts.ready, new Promise((done) => setTimeout(done, quiet))])
    },
    { quiet: quietMs, longest: longestMs },
  )
}
