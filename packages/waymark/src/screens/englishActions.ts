/** English texts of notices about server actions, a module of its own: browsers load it with actions. */
export const englishActions = {
  network: 'This could not be sent. What you entered is kept.',
  /** Something other than the site responded. */
  foreign:
    'This could not be sent: the reply did not come from this site. What you entered is kept.',
  /** The response was cut or changed on its way. */
  broken: 'The reply was cut off. Retry is safe: nothing is done twice.',
  /** The response has a status of 4xx, and an action has not sent it. */
  refused:
    'This could not be sent: the server refused it (status {status}). What you entered is kept.',
  cookiesTooLarge:
    'This could not be sent: the cookies of this site are too large. Delete them in the settings of your browser, then send it again. What you entered is kept.',
  late: 'No reply yet. Retry is safe: nothing is done twice.',
  offline: 'You are offline. What you entered is kept and will be sent when you are back online.',
  /** Several calls at once. */
  many: '{count} entries could not be sent. What you entered is kept.',
  failed: 'This could not be done. What you entered is kept.',
  /** The form belongs to an older version of the site. */
  updated: 'This site was updated, and this form no longer exists.',
  /** The page was reloaded, and typed text is restored. */
  restored: 'This site was updated and reloaded. What you entered is still here: send it again.',
  foreignOrigin: 'This could not be done: it can only be sent from this site.',
  /** The page was rendered for another user than the one who is signed in now. */
  otherUser:
    'Somebody else has signed in in this browser. What you entered is kept: sign in again to send it.',
  resultGone: 'This was already done. Reload the page to see the result.',
  tooLarge: 'This is too large to send. Use a smaller file or a shorter text.',
  /** After `tooLarge`: `{limit}`, as `1 MB`. */
  sizeLimit: 'The limit is {limit}.',
  timeout: 'This took too long and was stopped. It may be partly done.',
  wait: 'Keep waiting',
  retry: 'Retry',
  dismiss: 'Dismiss',
  ok: 'OK',
}
