import type { PageTexts } from '../shared/pageTexts.ts'
import { type FormTexts, shownTexts } from '../shared/shownTexts.ts'

const english = {
  kept: 'No connection. This is kept here and sent when there is one.',
  keptMany: 'No connection. {count} entries are kept here and sent when there is one.',
  keptRefused: 'This could not be sent: the server refused it. It is kept here and sent again.',
  unsent: '“{label}” could not be sent: {message}',
  tooLargeToKeep:
    'This is too large to keep for later. Leave the page open until it has been sent.',
  full: 'Too much waits to be sent: this is not kept for later. Leave the page open.',
  noSpace: 'The storage of this browser is full: this is not kept for later. Leave the page open.',
  storageFailed: 'The storage of this browser does not respond. Try it again.',
  invalid: 'Something in it is not valid.',
  signIn: 'Sign in to send it.',
  otherUser:
    'Somebody else has signed in in this browser. What you entered here is kept for you, and not sent as theirs.',
  reload: 'Reload',
  refused: 'You may not do this.',
  failed: 'An error occurred.',
  timeout: 'It took too long and was stopped. It may be partly done.',
  tooLarge: 'It is too large.',
  updated: 'This site was updated. Open it and send it again.',
  tooOld: 'It is too old to be sent by itself.',
  unanswered: 'The site does not respond to it.',
  edited: 'You began to edit it.',
  title: 'Waiting to be sent',
  waiting: 'Waits for a connection',
  sending: 'Is being sent',
  current: 'Stored now:',
  withdraw: 'Delete',
  edit: 'Edit',
  retry: 'Send now',
  ok: 'OK',
} as const

/** `{count}`, `{label}` and `{message}` are placeholders. */
export type OutboxTexts = { readonly [Name in keyof typeof english]: string }

/** What the package says, in the words of an app: `offline` of a language in `screens.ts`. */
export type OfflineTexts = {
  /** Of the line over a kept page, and of the built-in screen. */
  readonly page?: Partial<PageTexts>
  readonly outbox?: Partial<OutboxTexts>
  readonly form?: Partial<FormTexts>
}

// On the server, nothing of it is rendered.
const shown =
  typeof document === 'undefined'
    ? { lang: 'en', dir: 'ltr' as const, texts: english }
    : shownTexts<OutboxTexts>(document, 'outbox', english)

/** What the outbox says. */
export const outboxTexts: OutboxTexts = shown.texts

export const outboxLocale = { lang: shown.lang, dir: shown.dir }
