import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { loadConfigFromFile } from 'vite'

/** Default export of `drill.config.ts`. */
export type DrillConfig = {
  /** Paths for routes with params, by the route's pattern: `{ '/trails/[slug]': '/trails/oak' }` */
  readonly paths?: Readonly<Record<string, string>>
  /** Patterns of routes to skip. */
  readonly skip?: readonly string[]
  /** Cookies of the browser: `{ session: '…' }` */
  readonly cookies?: Readonly<Record<string, string>>
  /**
   * CSS selector of the app's own error screens, such as `.oops`. Built-in screens are always
   * recognised.
   */
  readonly screen?: string
  /** Milliseconds that a load may take. Default: 12,000. */
  readonly withinMs?: number
  /**
   * Checks each page that has arrived.
   * @throws an error that says what is missing, such as "the cart is empty"
   */
  readonly check?: (page: Page, load: { route: string; fault: string }) => Promise<void> | void
  /** Actions to test. Without this list, no actions are tested. */
  readonly actions?: readonly DrillAction[]
}

/** Something that a user does in a page, and that has one effect on the server. */
export type DrillAction = {
  readonly name: string
  /** Path of the page that has the action. */
  readonly path: string
  /** Fills in and clicks, once. */
  readonly run: (page: Page) => Promise<void>
  /**
   * Counts the effects. It is called before and after the action. Count them where the server
   * stores them, for example with a route handler that is not cached. The text of a page may be out
   * of date.
   * @param read returns the text of a response of the app, with the browser's cookies and without
   * faults
   */
  readonly effects: (read: (path: string) => Promise<string>) => Promise<number> | number
}

const names = ['ts', 'mts', 'js', 'mjs'].map((end) => `drill.config.${end}`)

/** Reads an app's `drill.config.ts`. Returns an empty object if there is no such file. */
export async function readDrillConfig(root: string): Promise<DrillConfig> {
  const file = names.map((name) => join(root, name)).find(existsSync)
  if (file === undefined) return {}
  const env = { command: 'build', mode: 'production' } as const
  const loaded = await loadConfigFromFile(env, file, root, 'silent')
  // Vite's function types the result as a Vite configuration, but only checks that it is an object.
  return (loaded?.config ?? {}) as DrillConfig
}
