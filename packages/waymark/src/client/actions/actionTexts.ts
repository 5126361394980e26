import type { ActionTexts } from '../../screens/screenTexts.ts'
import type { RefusalCode } from '../../shared/actionResponse.ts'

const english: ActionTexts = {
  network: 'This could not be sent. What you entered is kept.',
  foreign:
    'This could not be sent: something other than this site answered. What you entered is kept.',
  broken: 'The answer did not arrive whole. Retry asks for it again; nothing is done twice.',
  late: 'No answer has come yet. Retry asks for it again; nothing is done twice.',
  offline: 'You are offline. What you entered is kept, and will be sent when you are back.',
  many: '{count} entries could not be sent. What you entered is kept.',
  failed: 'This could not be done. What you entered is kept.',
  updated: 'This site was updated, and this form has no place in it any more.',
  restored:
    'This site was updated, and the page loaded anew. What you entered is still here: send it again.',
  foreignOrigin: 'This could not be done: it can be sent from a page of this site only.',
  answerGone: 'This was done already. What it has changed shows when the page is loaded again.',
  tooLarge: 'This is too large to be sent. Take a smaller file, or a shorter text.',
  timeout: 'This took too long and was stopped. It may have been done in part.',
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
