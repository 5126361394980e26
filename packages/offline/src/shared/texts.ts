// The English texts of the package. An app replaces and translates them in its `screens.ts`. Words in
// braces are placeholders.

/** Texts of the line above a saved page, and of the built-in screen. */
export const englishPage = {
  asOf: 'As of {time}. No connection.',
  title: 'No connection',
  heading: "You're offline",
  sentence: "This page opens as soon as you're back online.",
  /** Heading of the list of saved pages. */
  savedPages: 'You can still open these pages:',
  /** Shown next to each page in the list of saved pages. */
  savedAsOf: 'As of {time}',
}

/** Texts of the outbox's notices and its list. */
export const englishOutbox = {
  saved: "You're offline. This is saved in your browser and will be sent when you're back online.",
  savedMany:
    "You're offline. {count} entries are saved in your browser and will be sent when you're back online.",
  savedRefused:
    "The server didn't accept this yet. It is saved in your browser and will be sent again.",
  unsent: '“{label}” could not be sent: {message}',
  tooLargeToSave:
    'This is too large to keep for later. Leave the page open until it has been sent.',
  full: "Too many entries are waiting, so this one can't be saved for later. Leave the page open until it has been sent.",
  noSpace:
    "Your browser has no space left, so this can't be saved for later. Leave the page open until it has been sent.",
  storageFailed: "Your browser's storage isn't responding. Try again.",
  invalid: 'Check the values that you entered.',
  signIn: 'Sign in to send it.',
  otherUser:
    "Somebody else has signed in on this browser. Your text is saved for you and won't be sent in their name.",
  reload: 'Reload',
  refused: "You don't have permission to do this.",
  failed: 'An error occurred.',
  timeout: 'This took too long and was stopped. Part of it may have been done.',
  tooLarge: 'This is too large to send.',
  updated: 'This site was updated. Edit this and send it again.',
  tooOld: 'This is too old to be sent automatically.',
  unanswered: "The site isn't responding.",
  edited: 'You started editing this.',
  title: 'Waiting to be sent',
  waiting: 'Waiting for a connection',
  sending: 'Sending…',
  /** Shown above the stored values when an entry meets a conflict. */
  current: 'Stored now:',
  withdraw: 'Delete',
  edit: 'Edit',
  retry: 'Send now',
  ok: 'OK',
}

/** Texts of the notice on a form that was filled in again after its session had ended. */
export const englishForm = {
  restored: "Everything you entered is here again. It hasn't been sent yet.",
  ok: 'OK',
}

/** Texts of the outbox and its list. */
export type OutboxTexts = Readonly<typeof englishOutbox>

/** Every text of the package in one language. */
export type OfflineTexts = {
  readonly page: Readonly<typeof englishPage>
  readonly outbox: OutboxTexts
  readonly form: Readonly<typeof englishForm>
}
