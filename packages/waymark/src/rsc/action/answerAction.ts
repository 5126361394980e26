import type { Answer } from '../../shared/answer.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import type { ActionApp } from './actionApp.ts'
import type { IsBackgroundOpen } from './admit.ts'
import { answerCall } from './answerCall.ts'
import { answerForm } from './answerForm.ts'
import { isForeign } from './origin.ts'
import type { Posted } from './readPosted.ts'
import { refuse } from './refusal.ts'

/**
 * Answers a POST to a page: origin ▸ allow-list ▸ body ▸ guards ▸ decoding ▸ the action ▸ its
 * answer. Each step refuses before the next one costs anything.
 */
export function answerAction(
  posted: Posted,
  page: PageRequest,
  app: ActionApp,
  isBackgroundOpen: IsBackgroundOpen,
): Answer | Promise<Answer> {
  if (isForeign(page.request, app.actionSettings.allowedOrigins)) {
    return refuse('foreign-origin', posted.kind, page, app)
  }
  switch (posted.kind) {
    case 'call':
      return answerCall(posted.id, page, app, isBackgroundOpen)
    case 'form':
      return answerForm(page, app)
  }
}
