import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { loadConfigFromFile } from 'vite'

/** What `drill.config.ts` exports as its default. */
export type DrillConfig = {
  /** Pathnames of routes that have params, by pattern: `{ '/trails/[slug]': '/trails/oak' }` */
  readonly paths?: Readonly<Record<string, string>>
  /** Patterns that are not visited. */
  readonly skip?: readonly string[]
  /** What the browser has: `{ session: '…' }` */
  readonly cookies?: Readonly<Record<string, string>>
  /** Finds the app's own screens for what failed: `.oops`. Built-in ones are known. */
  readonly screen?: string
  /** Time for a load to come to something; 12,000 when left out. */
  readonly withinMs?: number
  /**
   * Looks at each page that has arrived.
   * @throws what is lost: "the cart is empty"
   */
  readonly check?: (page: Page, load: { route: string; fault: string }) => Promise<void> | void
  /** What people do in pages. None is tried that is not listed. */
  readonly actions?: readonly DrillAction[]
}

/** Something that a person does in a page, and that has one effect on the server. */
export type DrillAction = {
  readonly name: string
  /** Pathname of the page in which it is done. */
  readonly path: string
  /** Fills in and clicks, once. */
  readonly run: (page: Page) => Promise<void>
  /**
   * Counts the effects, before and after, where the server stores them: a route handler that no
   * cache is before. The text of a page may be older, or have the word elsewhere.
   * @param read the text of a response of the app, with the browser's cookies, without faults
   */
  readonly effects: (read: (path: string) => Promise<string>) => Promise<number> | number
}

const names = ['ts', 'mts', 'js', 'mjs'].map((end) => `drill.config.${end}`)

/** Reads an app's `drill.config.ts`; without one, nothing is configured. */
export async function readDrillConfig(root: string): Promise<DrillConfig> {
  const file = names.map((name) => join(root, name)).find(existsSync)
  if (file === undefined) return {}
  const env = { command: 'build', mode: 'production' } as const
  const loaded = await loadConfigFromFile(env, file, root, 'silent')
  // Of a configuration of Vite it knows no more than that it is an object.
  return (loaded?.config ?? {}) as DrillConfig
}
