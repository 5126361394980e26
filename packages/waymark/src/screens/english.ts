// The English texts of the core, for screens and notices. Those of actions are in `englishActions.ts`,
// because browsers load them later. An app replaces and translates texts in its `screens.ts`.
// A word in braces is a placeholder.

import type { KnownStatus, StatusTexts } from '../http/statuses.ts'

const reloadOrBack = 'Reload to try again, or go back to where you came from.'

/** Notices over the page, for a navigation that is slow or has failed. */
export const englishNotices = {
  slow: 'This page is taking longer than usual.',
  /** Data still arrives, and nothing of the page can be shown. */
  stillLoading: 'This page is still loading.',
  /** Only a new document can show the page, which would lose typed text. */
  needsReload: 'This page needs to be reloaded to open. What you typed here would be lost.',
  failed: 'This page could not be loaded. Trying again soon.',
  offline: 'You are offline. The page will load when you are back online.',
  /** A component's code is missing; the rest of the page works. */
  missingCode: 'A part of this page could not be loaded.',
  redirectLoop: 'This page could not be loaded: it redirects in a loop.',
  /** Each attempt gets a response with the same status of 4xx. */
  refused: 'This page could not be loaded: the server refuses it (status {status}).',
  cookiesTooLarge:
    'This page could not be loaded: the cookies of this site are too large. Deleting them may sign you out.',
  clearCookies: 'Delete cookies',
  keepWaiting: 'Keep waiting',
  reload: 'Reload',
  open: 'Open page',
  retry: 'Retry',
  cancel: 'Cancel',
}

/** Screens that take the place of a page. */
export const englishScreens = {
  /** For statuses without texts of their own. */
  otherHttp: { heading: 'An unexpected error has occurred', sentence: reloadOrBack },
  clientError: {
    heading:
      'Application error: a client-side exception has occurred while loading {host} (see the browser console for more information).',
    sentence: reloadOrBack,
  },
  serverError: {
    heading:
      'Application error: a server-side exception has occurred while loading {host} (see the server logs for more information).',
    sentence: reloadOrBack,
  },
  statusTitle: '{status}: {heading}',
  clientErrorTitle: 'Application error: a client-side exception has occurred',
  serverErrorTitle: 'Application error: a server-side exception has occurred',
  digest: 'Digest: {digest}',
  reload: 'Reload',
  back: 'Back',
  home: 'Home',
  /** On the screen of a 413: `{limit}`, as `1 MB`. */
  sizeLimit: 'The limit is {limit}.',
  clearCookies: 'Delete the cookies of this site',
}

/** Screens of statuses. A status without texts here has those of `otherHttp`. */
export const englishStatuses: Readonly<Record<number, StatusTexts>> = {
  400: {
    heading: 'Bad Request',
    sentence: 'The server could not understand the request. Check the address for mistakes.',
  },
  401: {
    heading: "You're not authorized to access this page.",
    sentence: 'Sign in with an account that has access, then come back.',
  },
  403: {
    heading: 'This page could not be accessed.',
    sentence: "You don't have permission to see it.",
  },
  404: {
    heading: 'This page could not be found.',
    sentence: 'The address may be mistyped, or the page may have been moved or removed.',
  },
  405: {
    heading: 'Method Not Allowed',
    sentence: 'This address does not accept this kind of request.',
  },
  408: {
    heading: 'The request took too long',
    sentence: 'It did not arrive completely. Check your connection, then try again.',
  },
  413: {
    heading: 'This is too large to send',
    sentence:
      'Go back, and choose a smaller file or a shorter text. What you entered is still there.',
  },
  414: {
    heading: 'This address is too long',
    sentence: 'Check the address for mistakes, or start from the home page.',
  },
  429: {
    heading: 'Too Many Requests',
    sentence: 'Wait a moment, then reload.',
  },
  431: {
    heading: 'The cookies of this site are too large',
    sentence:
      'Your browser sends more of them than the server accepts. Delete the cookies of this site to continue. You may have to sign in again.',
  },
  500: {
    heading: 'Internal Server Error',
    sentence: 'Something went wrong on the server. Reload to try again.',
  },
  503: {
    heading: 'This site is busy',
    sentence: 'It cannot show the page right now. Reload in a moment.',
  },
} satisfies { readonly [Status in KnownStatus]?: StatusTexts }
