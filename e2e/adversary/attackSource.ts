import type { AppMap } from './appMap.ts'
import type { Random } from './random.ts'
import type { AttackRequest } from './request.ts'

/** Data about a server, from which attacks are generated. */
export type AttackSource = {
  readonly seed: number
  readonly map: AppMap
  /** Authority (host and port) of the server. */
  readonly host: string
  /** Ids of the app's actions by name. */
  readonly actionIds: Readonly<Record<string, string>>
  /** Subscriptions of the app's live pages. */
  readonly subscriptions: Subscriptions
}

/** Subscriptions to pages, in the form in which the server has sealed them. */
export type Subscriptions = {
  readonly visitor: readonly string[]
  /** Subscriptions to pages that an administrator has opened. */
  readonly admin: readonly string[]
}

/**
 * The parts of a request that depend on the kind of attack. All other parts are drawn in the same
 * way for each kind.
 */
export type Made = Pick<AttackRequest, 'label' | 'target'> &
  Partial<Pick<AttackRequest, 'method' | 'headers' | 'body' | 'behaviour'>> & {
    readonly host?: string
  }

/** Draws a random request of one kind of attack. */
export type Make = (random: Random, source: AttackSource) => Made
