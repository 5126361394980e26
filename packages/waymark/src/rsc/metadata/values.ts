import {
  basePath,
  trailingSlash,
  withBasePath,
  withoutBasePath,
  withSlash,
} from '../../shared/basePath.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { Many, ResolvedTitle, TitleInput, UrlInput } from './openGraph.ts'

export type UrlBase = {
  root(): URL | null
  /** Returns the page's canonical pathname, to which `./` resolves. */
  pathname(): string
}

/**
 * Returns the base URL with a slash at the end. Without the slash, a relative URL would replace the
 * last part of the path.
 */
export function rootOf(base: UrlInput | null): URL | null {
  if (base === null) return null
  if (!URL.canParse(base)) throw frameworkError('METADATA_BASE', { value: String(base) })
  const root = new URL(base)
  root.pathname = folderOf(root.pathname)
  return root
}

/** Makes a URL absolute. `/x` and `x` both extend the base's path. Without a base, the URL stays unchanged. */
export function absoluteUrl(value: UrlInput, base: UrlBase): string {
  if (value instanceof URL) return value.href
  if (isAbsoluteUrl(value)) return value
  const root = base.root()
  const url = root === null ? value : joined(root, value)
  if (!trailingSlash) return url
  const path = root === null ? 0 : root.origin.length
  return url.slice(0, path) + withSlash(url.slice(path), basePath)
}

/**
 * Makes a URL absolute. Unlike `absoluteUrl`, resolves `./` to the page's URL, so that a layout can
 * set each page's canonical URL.
 */
export function absolutePageUrl(value: UrlInput, base: UrlBase): string {
  if (value instanceof URL || !/^\.\.?(\/|$)/.test(value)) return absoluteUrl(value, base)
  // Only the path is used, so any host will do.
  const { pathname, search, hash } = new URL(
    value,
    `http://page${folderOf(withBasePath(base.pathname()))}`,
  )
  return absoluteUrl(`${withoutEndSlash(pathname) || '/'}${search}${hash}`, base)
}

/**
 * True if a URL is safe in a link. False for a script URL.
 * @see https://url.spec.whatwg.org/#concept-basic-url-parser
 */
export function isLinkable(url: string): boolean {
  return !/^(?:javascript|vbscript):/i.test(url.replace(ignoredInUrl, ''))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore these characters
const ignoredInUrl = /^[\u0000-\u0020]+|[\t\n\r]/g

function isAbsoluteUrl(value: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(value)
}

function joined(root: URL, value: string): string {
  // The framework's own paths already have the `basePath`, so don't add it twice.
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
 * Applies the title template from the folders above. The segments below only get a template if the
 * title is an object that sets one.
 * @param inherited the title to use if the segment only sets a template
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
  // In a replacement string, `$&` in a title would be a pattern.
  return title === '' || template === null ? title : template.replaceAll('%s', () => title)
}

export function listOf<T>(value: Many<T>): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}
