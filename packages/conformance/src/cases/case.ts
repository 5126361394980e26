import type { HostFeature } from 'waymark/adapter'
import type { TestedHost } from '../testedHost.ts'

/** One thing that a host must do. */
export type Case = {
  /** States what is true if the case passes: `A static page comes from the build`. Unique. */
  readonly name: string
  /** Features without which a host can't pass. Default: none. */
  readonly needs?: readonly HostFeature[]
  /** True if the case needs a browser. */
  readonly inBrowser?: boolean
  /** @throws if the host does something else */
  run(host: TestedHost): Promise<void>
}

/** Cases that belong together, in the order in which they run. */
export type CaseGroup = { readonly title: string; readonly cases: readonly Case[] }
