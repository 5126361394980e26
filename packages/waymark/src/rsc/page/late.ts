import type { ReactNode } from 'react'
import { signalOf } from '../../shared/signals.ts'
import { lateScreen } from './fallbacks.ts'
import type { Failure } from './gate.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import type { Place } from './segments.ts'

/**
 * Answers a decider that threw after the page's status was sent: its screen still appears, in
 * place of the part that threw.
 */
export function renderLate(
  failure: Failure<Place | null>,
  page: PageRequest,
  app: PageApp,
): Promise<ReactNode> {
  if (signalOf(failure.thrown)) app.onLateSignal(failure.thrown, page)
  return lateScreen(failure, page, app)
}
