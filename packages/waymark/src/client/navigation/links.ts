import {
  decodeLink,
  documentLinkAttribute,
  pageFormAttribute,
} from '../../components/linkAttributes.ts'
import { actionField } from '../../react/actionFields.ts'
import { withoutBasePath } from '../../shared/basePath.ts'
import { hasFragment, linkOf } from './clickedLink.ts'
import type { NavigationRequest } from './navigation.ts'

/** Listens to clicks on links to pages of this origin, and to submits of `Form`s. */
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

/** Listens after all others, React included: what a component does may prevent the default. */
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
 * Tells whether a URL is one of this app: of its origin, and below its `basePath`. A `blob:` URL has
 * the origin of the document that made it. History entries can't hold a user name or password.
 */
export function isInApp({ protocol, origin, pathname, username, password }: UrlParts): boolean {
  return (
    origin === window.location.origin &&
    /^http/.test(protocol) &&
    username + password === '' &&
    withoutBasePath(pathname) !== null
  )
}

/** Tells whether a link leads to what may be a page of this site, in this tab. */
export function isPageLink(link: HTMLAnchorElement): boolean {
  return (
    link.href !== '' &&
    isInApp(link) &&
    opensHere(link.getAttribute('target')) &&
    !link.hasAttribute('download') &&
    // Only the browser itself reports a click to the URLs of `ping`.
    !link.hasAttribute('ping') &&
    !link.hasAttribute(documentLinkAttribute) &&
    !link.relList.contains('external')
  )
}

/** HTML, "get an element's target": `<base target>` counts for elements without one. */
function opensHere(target: string | null): boolean {
  const name = target ?? document.querySelector<HTMLBaseElement>('base[target]')?.target ?? ''
  return /^(_self)?$/i.test(name)
}

/** A click on a link in editable content places the caret. */
function isEdited(link: HTMLAnchorElement): boolean {
  return link.isContentEditable
}

/** The browser adds the position of the click to the URL, `?10,20`. */
function isServerMap({ target }: Event): boolean {
  return target instanceof HTMLImageElement && target.isMap
}

function isPlainClick(event: MouseEvent): boolean {
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return event.button === 0 && !hasModifier && !event.defaultPrevented
}

/**
 * Marks what was clicked for style sheets, `a[data-pending]`. In development no link is marked
 * before `hydrated`: React complains of attributes that it has not rendered. @returns removes the
 * mark
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

// The browser scrolls to a hash itself, and keeps its own history of it.
function isWithinPage(link: HTMLAnchorElement): boolean {
  return hasFragment(link) && isHere(link)
}

function isHere(link: HTMLAnchorElement): boolean {
  return withoutFragment(link) === withoutFragment(location)
}

function withoutFragment({ href }: { readonly href: string }): string {
  return href.split('#', 1)[0] ?? href
}

/** Tells whether a link leads to another page, which may be prefetched. */
export function mayPrefetch(link: HTMLAnchorElement): boolean {
  return isPageLink(link) && !isHere(link) && decodeLink(link).prefetch
}

/**
 * The URL to which a form leads; `null` if the URL is no page. For a `formAction` that is a
 * function, React writes a POST or `javascript:`.
 */
function targetOf(form: HTMLFormElement, submitter: HTMLElement | null): URL | null {
  const attribute = (name: string) =>
    submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name)
  const isPage = /^(get)?$/i.test(attribute('method') ?? '') && opensHere(attribute('target'))
  if (!isPage) return null
  // HTML: an empty action is the document's URL, whatever `<base>` says.
  return new URL(attribute('action') || document.URL, document.baseURI)
}

// As a browser does: files are sent by their names, the pressed button is among the fields.
function queryOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) {
    // Of another button's server action, for browsers without scripts.
    if (name.startsWith(actionField)) continue
    query.append(name, typeof value === 'string' ? value : value.name)
  }
  return query
}
