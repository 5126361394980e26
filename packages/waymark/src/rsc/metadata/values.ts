import {
  basePath,
  trailingSlash,
  withBasePath,
  withoutBasePath,
  withSlash,
} from '../../shared/basePath.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { ResolvedTitle, TitleInput, UrlInput } from '../../shared/metadataValues.ts'

/** Where relative URLs of one segment start. */
export type UrlBase = {
  /** Of `rootOf`; `null` while prerendering without `metadataBase`. */
  root(): URL | null
  /** The page's canonical pathname, which `./` stands for. */
  pathname(): string
}

/**
 * Reads `metadataBase` or an origin as what relative URLs are appended to.
 * @throws FrameworkError when it is not an absolute URL
 * @returns with a slash at its end, so that the last part of its path is kept
 */
export function rootOf(base: UrlInput | null): URL | null {
  if (base === null) return null
  if (!URL.canParse(base)) throw frameworkError('METADATA_BASE', { value: String(base) })
  const root = new URL(base)
  root.pathname = folderOf(root.pathname)
  return root
}

/**
 * Makes a URL absolute. `/x` and `x` both continue the path of the base, so that a base with
 * a path (`https://example.com/docs`) holds for all.
 * @returns unchanged when it has a scheme or host of its own, or when there is no base
 */
export function absoluteUrl(value: UrlInput, base: UrlBase): string {
  if (value instanceof URL) return value.href
  if (hasOwnHost(value)) return value
  const root = base.root()
  const url = root === null ? value : joined(root, value)
  if (!trailingSlash) return url
  const path = root === null ? 0 : root.origin.length
  return url.slice(0, path) + withSlash(url.slice(path), basePath)
}

/**
 * Makes a URL absolute that may be relative to the page itself: `./` is the page's own URL,
 * `./print` one below it, which lets a layout give each page its canonical URL.
 */
export function absolutePageUrl(value: UrlInput, base: UrlBase): string {
  if (value instanceof URL || !/^\.\.?(\/|$)/.test(value)) return absoluteUrl(value, base)
  // The host is a stand-in: only the resolved path is used.
  const { pathname, search, hash } = new URL(
    value,
    `http://page${folderOf(withBasePath(base.pathname()))}`,
  )
  return absoluteUrl(`${withoutEndSlash(pathname) || '/'}${search}${hash}`, base)
}

/**
 * Tells whether a URL may stand in a link.
 * A URL from user data must not become script: browsers drop control characters and spaces
 * before a scheme, and tabs and line breaks inside it.
 * @see https://url.spec.whatwg.org/#concept-basic-url-parser
 */
export function isLinkable(url: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(ignoredInUrl, ''))?.[1]
  return scheme === undefined || !scriptSchemes.has(scheme.toLowerCase())
}

const scriptSchemes: ReadonlySet<string> = new Set(['javascript', 'vbscript'])

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones browsers ignore
const ignoredInUrl = /^[\u0000-\u0020]+|[\t\n\r]/g

function hasOwnHost(value: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(value)
}

function joined(root: URL, value: string): string {
  // With `basePath` in it already, as what the framework itself writes: it may be in the root, too.
  if (basePath !== '' && withoutBasePath(value) !== null)
    return root.origin + withoutEndSlash(value)
  const path = value.replace(/^\/+/, '')
  const isQueryOrHash = path.startsWith('?') || path.startsWith('#')
  const url = new URL(isQueryOrHash ? path : `./${path}`, root)
  return url.search || url.hash ? url.href : withoutEndSlash(url.href)
}

function folderOf(pathname: string): string {
  return pathname.endsWith('/') ? pathname : `${pathname}/`
}

function withoutEndSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text
}

/**
 * Puts a segment's title into the template that holds for it.
 * A title set here ends the template from above for the segments below, unless it brings one
 * of its own: a template reaches down to the next layout with a title.
 * @param template from a folder above, `%s` for the title; `null` for none
 * @param inherited shown when the segment sets a template only
 */
export function resolveTitle(
  title: TitleInput,
  template: string | null,
  inherited: string,
): ResolvedTitle {
  if (typeof title === 'string') {
    return { absolute: intoTemplate(title, template), template: null }
  }
  return { absolute: textOf(title, template) ?? inherited, template: title.template ?? null }
}

function textOf(title: Exclude<TitleInput, string>, template: string | null): string | undefined {
  if (title.absolute) return title.absolute
  return title.default ? intoTemplate(title.default, template) : undefined
}

function intoTemplate(title: string, template: string | null): string {
  // A function, because a title may hold `$&`, which a replacement text would act on.
  return title === '' || template === null ? title : template.replaceAll('%s', () => title)
}
