import type { HandlerResponse } from '../../shared/answer.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import type { ActionApp } from './actionApp.ts'
import type { IsBackgroundOpen } from './admit.ts'
import { handleCall } from './answerCall.ts'
import { handleForm } from './answerForm.ts'
import { isCrossOrigin } from './origin.ts'
import type { ActionRequest } from './readPosted.ts'
import { refuse } from './refusal.ts'

/**
 * Answers a POST to a page: origin ▸ allow-list ▸ body ▸ guards ▸ decoding ▸ the action ▸ its
 * answer. Each step refuses before the next one costs anything.
 */
export function handleAction(
  posted: ActionRequest,
  page: PageRequest,
  app: ActionApp,
  isBackgroundOpen: IsBackgroundOpen,
): HandlerResponse | Promise<HandlerResponse> {
  if (isCrossOrigin(page.request, app.actionSettings.allowedOrigins)) {
    return refuse('foreign-origin', posted.kind, page, app)
  }
  switch (posted.kind) {
    case 'call':
      return handleCall(posted.id, page, app, isBackgroundOpen)
    case 'form':
      return handleForm(page, app)
  }
}
