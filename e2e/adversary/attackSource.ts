import type { AppMap } from './appMap.ts'
import type { Random } from './random.ts'
import type { AttackRequest } from './request.ts'

/** What the adversary knows of the server. */
export type AttackSource = {
  readonly seed: number
  readonly map: AppMap
  /** The authority of the server. */
  readonly host: string
  /** Ids of the app's actions by name. */
  readonly actionIds: Readonly<Record<string, string>>
  /** Of its pages that are kept current. */
  readonly subscriptions: Subscriptions
}

/** What pages follow, as the server has sealed it. */
export type Subscriptions = {
  readonly visitor: readonly string[]
  /** Of pages that an administrator has opened. */
  readonly admin: readonly string[]
}

/** What a kind of request leaves to be drawn for all of them. */
export type Made = Pick<AttackRequest, 'label' | 'target'> &
  Partial<Pick<AttackRequest, 'method' | 'headers' | 'body' | 'behaviour'>> & {
    readonly host?: string
  }

/** Draws a request of one kind. */
export type Make = (random: Random, source: AttackSource) => Made
