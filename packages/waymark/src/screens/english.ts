// The English texts of screens and notices, except for notices about actions: those are in
// `englishActions.ts`, which browsers load later. An app replaces and translates texts in its
// `screens.ts`. A word in braces is a placeholder.

import type { StatusCode, StatusTexts } from '../http/statuses.ts'

const reloadOrBack = 'Reload to try again, or go back.'

/** Texts of notices about a slow or failed navigation, which are shown over the current page. */
export const englishNotices = {
  slow: 'This page is taking longer than usual.',
  /** Data is still arriving, but nothing of the page can be shown yet. */
  stillLoading: 'This page is still loading.',
  /**
   * Only a new document can show the page, but the user has typed something into the current one.
   */
  needsReload: 'The site has to reload to open this page. You would lose what you typed here.',
  failed: "This page couldn't be loaded. Trying again soon.",
  offline: "You're offline. The page will load when you're back online.",
  /** A component's code is missing, but the rest of the page works. */
  missingCode: "Part of this page couldn't be loaded.",
  /** An action was called, but its code couldn't be loaded. */
  missingActions:
    "This couldn't be sent because part of this page couldn't be loaded. Everything you entered is still here.",
  redirectLoop: "This page couldn't be loaded because it keeps redirecting.",
  /** The server responds to each attempt with the same 4xx status. */
  refused: "This page couldn't be loaded. The server refused the request (status {status}).",
  cookiesTooLarge:
    "This page couldn't be loaded because this site's cookies are too large. Deleting them may sign you out.",
  clearCookies: 'Delete cookies',
  keepWaiting: 'Keep waiting',
  reload: 'Reload',
  open: 'Open page',
  retry: 'Retry',
  cancel: 'Cancel',
}

/** Screens that are shown in place of a page. */
export const englishScreens = {
  /** Texts for statuses that have none of their own: 501 and 502, for example. */
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
  /** Added to the sentence of a 413. `{limit}` is a size, such as `1 MB`. */
  sizeLimit: 'The limit is {limit}.',
  /** The sizes in `sizeLimit`. `{size}` is a number in the notation of the language. */
  sizes: { bytes: '{size} bytes', kilobytes: '{size} kB', megabytes: '{size} MB' },
  clearCookies: "Delete this site's cookies",
}

type EnglishStatuses = { readonly [Status in StatusCode]?: StatusTexts }

/** Texts of the screens that browsers render themselves, after a call such as `notFound()` in a client component. */
export const englishStatuses = {
  400: {
    heading: 'Bad Request',
    sentence: "The server couldn't understand the request. Check the address for mistakes.",
  },
  401: {
    heading: "You're not authorized to access this page.",
    sentence: 'Sign in with an account that has access, then try again.',
  },
  403: {
    heading: 'This page could not be accessed.',
    sentence: "You don't have permission to view this page.",
  },
  404: {
    heading: 'This page could not be found.',
    sentence: 'The address may be mistyped, or the page may have been moved or removed.',
  },
} satisfies EnglishStatuses
