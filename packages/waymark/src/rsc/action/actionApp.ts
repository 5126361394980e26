import type { ActionSettings } from '../../shared/actionSettings.ts'
import type { PageApp } from '../page/pageRequest.ts'
import type { ActionList } from './actionList.ts'
import type { ActionOrder } from './order.ts'
import type { Idempotency } from './submissions.ts'

/** What answering an action needs of the app. */
export type ActionApp = PageApp & {
  readonly actions: ActionList
  readonly actionSettings: ActionSettings
  readonly submissions: Idempotency
  readonly order: ActionOrder
}
