/** English texts of notices about server actions. Browsers load this module with the code of actions. */
export const englishActions = {
  network: "This couldn't be sent. Everything you entered is still here.",
  /**
   * The response came from something other than the site, such as the sign-in page of a Wi-Fi network.
   */
  foreign:
    "Something other than this site answered, so this couldn't be sent. Everything you entered is still here.",
  /** The response was cut off or corrupted. */
  broken: "The reply was cut off. It's safe to retry: nothing will be done twice.",
  /** The response has a 4xx status that doesn't come from an action. */
  refused:
    "This couldn't be sent. The server refused it (status {status}). Everything you entered is still here.",
  cookiesTooLarge:
    "This couldn't be sent because this site's cookies are too large. Delete them in your browser's settings, then send it again. Everything you entered is still here.",
  late: "No reply yet. It's safe to retry: nothing will be done twice.",
  offline:
    "You're offline. Everything you entered is still here and will be sent when you're back online.",
  /** Several calls failed. */
  many: "{count} entries couldn't be sent. Everything you entered is still here.",
  failed: "This couldn't be done. Everything you entered is still here.",
  /** The form belongs to an older version of the site. */
  updated: 'This site was updated, and this form no longer exists.',
  /** The page was reloaded, and the typed text was restored. */
  restored:
    'This site was updated and the page reloaded. Everything you entered is still here. Send it again.',
  foreignOrigin: 'This can only be sent from this site.',
  /** The page was rendered for a user who is no longer signed in. */
  otherUser:
    'Someone else has signed in on this browser. Everything you entered is still here. Sign in again to send it.',
  resultGone: 'This was already done. Reload the page to see the result.',
  tooLarge: 'This is too large to send. Choose a smaller file or shorten your text.',
  /** Added to `tooLarge`. `{limit}` is a size, such as `1 MB`. */
  sizeLimit: 'The limit is {limit}.',
  timeout: 'This took too long and was stopped. Part of it may have been done.',
  wait: 'Keep waiting',
  retry: 'Retry',
  dismiss: 'Dismiss',
  ok: 'OK',
}
