import type { StatusCode, StatusTexts } from '../http/statuses.ts'
import { englishStatuses } from './english.ts'

type StatusTable = { readonly [Status in StatusCode]?: StatusTexts }

/** English texts of the screens that only the server renders. Other statuses use `otherHttp`. */
const serverStatuses = {
  405: {
    heading: 'Method Not Allowed',
    sentence: "This address doesn't accept this kind of request.",
  },
  406: {
    heading: 'Not Acceptable',
    sentence: "The server can't send this page in a format that your browser accepts.",
  },
  408: {
    heading: 'The request took too long',
    sentence: "Part of the request didn't arrive. Check your connection, then try again.",
  },
  409: {
    heading: 'This page is out of date',
    sentence:
      'Go back and reload the page. Check whether your entry was saved before you send it again.',
  },
  411: {
    heading: 'Length Required',
    sentence: "The request didn't say how long it is. Reload to try again.",
  },
  412: {
    heading: 'This page is out of date',
    sentence: 'It has changed since your browser loaded it. Reload to see the current page.',
  },
  413: {
    heading: 'This is too large to send',
    sentence:
      'Go back and choose a smaller file or shorten your text. Everything you entered is still there.',
  },
  414: {
    heading: 'This address is too long',
    sentence: 'Check the address for mistakes, or start from the home page.',
  },
  415: {
    heading: "The server can't read this kind of content",
    sentence: 'Go back and try again. If you chose a file, choose one of a different type.',
  },
  416: {
    heading: 'Range Not Satisfiable',
    sentence: "This part of the file doesn't exist. Reload to get the whole file.",
  },
  417: {
    heading: 'Expectation Failed',
    sentence: "The server can't do what the request expects. Reload to try again.",
  },
  422: {
    heading: "Something you entered isn't valid",
    sentence: 'Go back, check what you entered, and send it again.',
  },
  429: {
    heading: 'Too Many Requests',
    sentence: 'Wait a moment, then reload.',
  },
  431: {
    heading: "This site's cookies are too large",
    sentence:
      'Your browser sends more cookies than the server accepts. Delete them to continue. You may have to sign in again.',
  },
  500: {
    heading: 'Internal Server Error',
    sentence: 'Something went wrong on the server. Reload to try again.',
  },
  503: {
    heading: 'This site is busy',
    sentence: "It can't show this page right now. Reload in a moment.",
  },
  504: {
    heading: 'This took too long',
    sentence:
      'The server stopped it, but part of it may have been done. Go back and check before you try again.',
  },
} satisfies StatusTable

/** Statuses with texts of their own. */
export type TextStatus = keyof typeof englishStatuses | keyof typeof serverStatuses

// Leave out the texts that only the server needs from the code for browsers.
const isBrowser = import.meta.env?.SSR === false
const texts: Readonly<Record<number, StatusTexts>> = isBrowser
  ? englishStatuses
  : { ...englishStatuses, ...serverStatuses }

/** Returns the English texts of a status, if it has texts of its own. */
export function englishStatus(status: number): StatusTexts | undefined {
  return texts[status]
}
