import type { Page } from 'playwright-core'
import { readConfigFile } from './readConfigFile.ts'

/** Default export of `drill.config.ts`. */
export type DrillConfig = {
  /**
   * Paths for routes with params, keyed by the route's pattern: `{ '/trails/[slug]': '/trails/oak'
   * }`
   */
  readonly paths?: Readonly<Record<string, string>>
  /** Patterns of routes to skip. */
  readonly skip?: readonly string[]
  /** Cookies to set in the browser: `{ session: '…' }` */
  readonly cookies?: Readonly<Record<string, string>>
  /**
   * CSS selector of the app's own error screens, such as `.oops`. Built-in screens are always
   * recognised.
   */
  readonly screen?: string
  /** Milliseconds that a load may take. Default: 12,000. */
  readonly withinMs?: number
  /**
   * Checks the content of each page that has arrived.
   * @throws Error with the problem, such as "the cart is empty"
   */
  readonly check?: (page: Page, load: { route: string; fault: string }) => Promise<void> | void
  /** Actions to test. Default: none. */
  readonly actions?: readonly DrillAction[]
}

/** Something that a user does on a page, and that has exactly one effect on the server. */
export type DrillAction = {
  readonly name: string
  /** Path of the page on which the user does this. */
  readonly path: string
  /** Fills in the form and clicks once, as the user would. */
  readonly run: (page: Page) => Promise<void>
  /**
   * Counts the effects. Called before and after the action. Read the number from the place where
   * the server stores it, for example with a route handler that isn't cached, because a page's text
   * may be out of date.
   * @param read requests a path with the browser's cookies and without faults, and returns the
   * response's body
   */
  readonly effects: (read: (path: string) => Promise<string>) => Promise<number> | number
}

/** Reads an app's `drill.config.ts`. Returns an empty object if there is no such file. */
export async function readDrillConfig(root: string): Promise<DrillConfig> {
  return (await readConfigFile<DrillConfig>(root, 'drill')) ?? {}
}
