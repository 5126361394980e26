import type { ReactNode } from 'react'
import { signalOf } from '../../shared/signals.ts'
import { lateFallback } from './fallbacks.ts'
import type { Failure } from './gate.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import type { SlotPath } from './segments.ts'

/**
 * Answers a decider that threw after the page's status was sent: its screen still appears, in
 * place of the part that threw.
 */
export function renderLateError(
  failure: Failure<SlotPath | null>,
  page: PageRequest,
  app: PageApp,
): Promise<ReactNode> {
  if (signalOf(failure.thrown)) app.onLateSignal(failure.thrown, page)
  return lateFallback(failure, page, app)
}
