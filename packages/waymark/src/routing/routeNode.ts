import type { Role } from './files.ts'
import type { Segment } from './segment.ts'

/** A folder of the app folder. Plain data: a literal can be written from it. */
export type RouteNode = {
  /** Its path below the app folder; empty for the app folder itself. */
  readonly id: string
  readonly segment: Segment
  /** Paths relative to the app folder. */
  readonly files: Readonly<Partial<Record<Role, string>>>
  /** Folders below it, the more specific first; groups and interceptions too, slots not. */
  readonly children: readonly RouteNode[]
  readonly slots: Readonly<Record<string, RouteNode>>
}

/** The app folder. */
export type RouteTree = RouteNode
