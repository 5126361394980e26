// The English texts of the package. An app replaces and translates them in its `screens.ts`.
// A word in braces is a placeholder.

/** The line over a saved page, and the built-in screen. */
export const englishPage = {
  asOf: 'As of {time}. No connection.',
  title: 'No connection',
  heading: 'There is no connection',
  sentence: 'This page opens as soon as the connection is back.',
  /** Above the list of saved pages. */
  kept: 'You can still open these pages:',
  /** Beside a page of the list. */
  keptAsOf: 'As of {time}',
}

/** Notices of the outbox, and its list. */
export const englishOutbox = {
  kept: 'No connection. This is kept here and will be sent once you are online.',
  keptMany: 'No connection. {count} entries are kept here and will be sent once you are online.',
  keptRefused:
    'This could not be sent: the server refused it. It is kept here and will be sent again.',
  unsent: '“{label}” could not be sent: {message}',
  tooLargeToKeep:
    'This is too large to keep for later. Leave the page open until it has been sent.',
  full: 'Too many entries are waiting, so this is not kept for later. Leave the page open.',
  noSpace:
    'The storage of this browser is full, so this is not kept for later. Leave the page open.',
  storageFailed: 'The storage of this browser does not respond. Try again.',
  invalid: 'Some of the values are not valid.',
  signIn: 'Sign in to send it.',
  otherUser:
    'Somebody else has signed in in this browser. What you entered here is kept for you, and is not sent in their name.',
  reload: 'Reload',
  refused: 'You may not do this.',
  failed: 'An error occurred.',
  timeout: 'This took too long and was stopped. It may be partly done.',
  tooLarge: 'This is too large to send.',
  updated: 'This site was updated. Open it and send it again.',
  tooOld: 'This is too old to be sent automatically.',
  unanswered: 'The site does not respond.',
  edited: 'You started to edit this.',
  title: 'Waiting to be sent',
  waiting: 'Waiting for a connection',
  sending: 'Sending…',
  /** Above the values of an entry that meets a conflict. */
  current: 'Stored now:',
  withdraw: 'Delete',
  edit: 'Edit',
  retry: 'Send now',
  ok: 'OK',
}

/** The notice of a form whose session had ended, and which is filled in again. */
export const englishForm = {
  restored: 'What you entered is here again. It was not sent: send it when you are ready.',
  ok: 'OK',
}

export const texts = { en: { page: englishPage, outbox: englishOutbox, form: englishForm } }

/** Texts of the outbox and its list. */
export type OutboxTexts = Readonly<typeof englishOutbox>
