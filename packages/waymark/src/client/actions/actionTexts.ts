import type { ActionTexts } from '../../screens/screenTexts.ts'
import type { RefusalCode } from '../../shared/actionResponse.ts'

const english: ActionTexts = {
  network: 'This could not be sent. What you entered is kept.',
  foreign:
    'This could not be sent: the reply did not come from this site. What you entered is kept.',
  broken: 'The reply was cut off. Retry is safe: nothing is done twice.',
  late: 'No reply yet. Retry is safe: nothing is done twice.',
  offline: 'You are offline. What you entered is kept and will be sent when you are back online.',
  many: '{count} entries could not be sent. What you entered is kept.',
  failed: 'This could not be done. What you entered is kept.',
  updated: 'This site was updated, and this form no longer exists.',
  restored: 'This site was updated and reloaded. What you entered is still here: send it again.',
  foreignOrigin: 'This could not be done: it can only be sent from this site.',
  answerGone: 'This was already done. Reload the page to see the result.',
  tooLarge: 'This is too large to send. Use a smaller file or a shorter text.',
  timeout: 'This took too long and was stopped. It may be partly done.',
  retry: 'Retry',
  dismiss: 'Dismiss',
  ok: 'OK',
}

/** The texts of actions: English, with an app's own in place of some or all. */
export function actionTexts(own: Partial<ActionTexts>): ActionTexts {
  return { ...english, ...own }
}

/** The text for the user whose form was refused. */
export function refusalText(texts: ActionTexts, code: RefusalCode): string {
  switch (code) {
    case 'stale':
    case 'unknown':
      return texts.updated
    case 'foreign-origin':
      return texts.foreignOrigin
    case 'answer-gone':
    case 'other-credentials':
      return texts.answerGone
    case 'unfinished':
      return texts.late
    case 'too-large':
      return texts.tooLarge
    case 'timeout':
      return texts.timeout
    case 'too-slow':
      return texts.network
    case 'malformed':
    case 'key-reused':
    case 'wrong-type':
      return texts.failed
  }
}
