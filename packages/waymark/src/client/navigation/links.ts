import {
  decodeLink,
  documentLinkAttribute,
  pageFormAttribute,
} from '../../components/linkAttributes.ts'
import { actionField } from '../../react/actionFields.ts'
import { withoutBasePath } from '../../shared/basePath.ts'
import { hasFragment, linkOf } from './clickedLink.ts'
import type { NavigationRequest } from './navigation.ts'

/** Listens for clicks on links to pages of this app, and for submits of `Form`s. */
export function listenForLinks(
  document: Document,
  navigate: (request: NavigationRequest) => unknown,
): void {
  const follow = (element: HTMLElement, url: URL, link: HTMLAnchorElement | null = null) => {
    const settings = decodeLink(element)
    const isReplaced = settings.replace || (link && isHere(link))
    navigate({ ...settings, kind: isReplaced ? 'replace' : 'push', url, link })
  }
  listenLast(document, 'click', (event) => {
    const link = linkOf(event)
    if (!link || !isPlainClick(event) || !isPageLink(link) || isWithinPage(link)) return
    if (isEdited(link) || isServerMap(event)) return
    event.preventDefault()
    follow(link, new URL(link.href), link)
  })
  listenLast(document, 'submit', (event) => {
    const form = event.target
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    if (!form.hasAttribute(pageFormAttribute)) return
    const { submitter } = event
    const url = targetOf(form, submitter)
    if (!url || !isInApp(url)) return
    event.preventDefault()
    url.search = queryOf(form, submitter).toString()
    follow(form, url)
  })
}

/**
 * Adds a listener that runs after all others, including React's, because these may call
 * `preventDefault()`.
 */
function listenLast<Name extends 'click' | 'submit'>(
  document: Document,
  name: Name,
  listener: (event: DocumentEventMap[Name]) => void,
): void {
  const listenAgain = () => {
    document.removeEventListener(name, listener)
    document.addEventListener(name, listener)
  }
  document.addEventListener(name, listenAgain, true)
}

type UrlParts = Pick<URL, 'protocol' | 'origin' | 'pathname' | 'username' | 'password'>

/**
 * True if a URL belongs to this app: its origin is the app's, and it is below the `basePath`.
 * Excludes `blob:` URLs, which aren't pages, and URLs with a user name or password, which history
 * entries can't contain.
 */
export function isInApp({ protocol, origin, pathname, username, password }: UrlParts): boolean {
  return (
    origin === window.location.origin &&
    /^http/.test(protocol) &&
    username + password === '' &&
    withoutBasePath(pathname) !== null
  )
}

/** True if a link may lead to a page of this app and opens in this tab. */
export function isPageLink(link: HTMLAnchorElement): boolean {
  return (
    link.href !== '' &&
    isInApp(link) &&
    opensHere(link.getAttribute('target')) &&
    !link.hasAttribute('download') &&
    // Leave links with `ping` to the browser, which sends the pings.
    !link.hasAttribute('ping') &&
    !link.hasAttribute(documentLinkAttribute) &&
    !link.relList.contains('external')
  )
}

/**
 * True if the target is the current tab. `<base target>` applies to elements without a target (HTML
 * standard).
 */
function opensHere(target: string | null): boolean {
  const name = target ?? document.querySelector<HTMLBaseElement>('base[target]')?.target ?? ''
  return /^(_self)?$/i.test(name)
}

/** True if a link is in editable content, where a click places the caret. */
function isEdited(link: HTMLAnchorElement): boolean {
  return link.isContentEditable
}

/** True for a server-side image map. The browser adds the position of the click to the URL (`?10,20`). */
function isServerMap({ target }: Event): boolean {
  return target instanceof HTMLImageElement && target.isMap
}

function isPlainClick(event: MouseEvent): boolean {
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return event.button === 0 && !hasModifier && !event.defaultPrevented
}

/**
 * Marks a clicked element with `data-pending`, for style sheets.
 * @param hydrated in development, wait for this promise, because React warns about attributes that
 * it hasn't rendered
 * @returns a function that removes the mark
 */
export function markPending(
  link: Element | null | undefined,
  hydrated?: Promise<void>,
): () => void {
  const mark = (isPending: boolean) => {
    link?.toggleAttribute('data-pending', isPending)
    if (isPending) link?.setAttribute('aria-busy', 'true')
    else link?.removeAttribute('aria-busy')
  }
  if (!import.meta.env.DEV || !hydrated) {
    mark(true)
    return () => mark(false)
  }
  let isOver = false
  void hydrated.then(() => isOver || mark(true))
  return () => {
    isOver = true
    mark(false)
  }
}

// True if only the hash differs. The browser then scrolls and writes the history entry itself.
function isWithinPage(link: HTMLAnchorElement): boolean {
  return hasFragment(link) && isHere(link)
}

function isHere(link: HTMLAnchorElement): boolean {
  return withoutFragment(link) === withoutFragment(location)
}

function withoutFragment({ href }: { readonly href: string }): string {
  return href.split('#', 1)[0] ?? href
}

/** True if a link leads to a different page and the page may be prefetched. */
export function mayPrefetch(link: HTMLAnchorElement): boolean {
  return isPageLink(link) && !isHere(link) && decodeLink(link).prefetch
}

/**
 * Returns the URL to which a form leads, or `null` if the URL isn't a page that opens in this tab.
 * A function as `formAction` isn't a page: React turns it into a POST form or a `javascript:` URL.
 */
function targetOf(form: HTMLFormElement, submitter: HTMLElement | null): URL | null {
  const attribute = (name: string) =>
    submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name)
  const isPage = /^(get)?$/i.test(attribute('method') ?? '') && opensHere(attribute('target'))
  if (!isPage) return null
  // HTML standard: an empty action means the document's URL, even if there is a `<base>`.
  return new URL(attribute('action') || document.URL, document.baseURI)
}

// Builds a form's query as browsers do: a file is sent as its name, and the pressed button is included.
function queryOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) {
    // Skip the fields that React adds for a different button's server action. They are only needed
    // without JavaScript.
    if (name.startsWith(actionField)) continue
    query.append(name, typeof value === 'string' ? value : value.name)
  }
  return query
}
