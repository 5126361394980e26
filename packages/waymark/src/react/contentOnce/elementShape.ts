import { type Shape, sizeOf } from './htmlReference.ts'
import {
  attributeOf,
  type HtmlContext,
  isInSvg,
  isNothing,
  isPlain,
  isReadAsGiven,
  mayHoldText,
} from './readableHtml.ts'

export type ElementCounts = {
  /** Names of properties by those of their attributes, where they differ. */
  readonly names: Record<string, string>
  readonly isReadable: (text: string) => boolean
  size: number
  /** How much was found so far that only React writes. */
  unwritable: number
}

export function isPlainText(text: string): boolean {
  return !text.startsWith('$') || text.startsWith('$$')
}

export function shapeOfText(
  text: string,
  around: HtmlContext | null,
  counts: ElementCounts,
): Shape | null {
  if (text === '') return { n: text }
  counts.size += sizeOf(text.startsWith('$') ? text.slice(1) : text)
  return counts.isReadable(text) && mayHoldText(around) ? 0 : null
}

export function shapeOfHtml(
  value: unknown,
  around: HtmlContext,
  counts: ElementCounts,
): Shape | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return null
  const { __html: html } = value as { readonly __html?: unknown }
  if (typeof html !== 'string' || !isPlainText(html) || !counts.isReadable(html)) return null
  const given = html.startsWith('$') ? html.slice(1) : html
  if (!mayHoldText(around) || isInSvg(around) || !isSerialized(given)) return null
  counts.size += sizeOf(given)
  return { h: 1 }
}

const inline = new Set(
  'span code em strong b i u s small mark sub sup var kbd samp q cite abbr time'.split(' '),
)

const maxDepth = 100

// What is escaped in no other way, in texts and in attributes.
const token =
  /<\/([a-z]+)>|<([a-z]+)(?: [a-z][a-z-]*="[^"&<>\u00a0]*")*>|(?:[^<>&\u00a0]|&(?:amp|lt|gt);)+/y

/** Tells whether `innerHTML` is HTML as it was written, as it is for highlighted code. */
export function isSerialized(html: string): boolean {
  const open: string[] = []
  // A line break at the start of `pre` is none.
  if (html === '' || html.startsWith('\n')) return false
  token.lastIndex = 0
  while (token.lastIndex < html.length) {
    const found = token.exec(html)
    if (found === null) return false
    const [, closed, opened] = found
    if (closed !== undefined && open.pop() !== closed) return false
    if (opened === undefined) continue
    if (!inline.has(opened) || open.length === maxDepth) return false
    open.push(opened)
  }
  return open.length === 0
}

const none: Readonly<Record<string, unknown>> = {}

/** @returns `null` where it is not known what the attributes do */
export function readProps(
  props: Record<string, unknown>,
  counts: ElementCounts,
): Readonly<Record<string, unknown>> | null {
  let own: Record<string, unknown> | null = null
  for (const prop in props) {
    if (prop === 'children' || prop === 'dangerouslySetInnerHTML') continue
    const value = props[prop]
    const attribute = attributeOf(prop)
    if (attribute === null) return null
    if (attribute.read !== prop) counts.names[attribute.read] = prop
    if (typeof value === 'string' && isReadAsGiven(attribute, value) && counts.isReadable(value)) {
      counts.size += sizeOf(value) + sizeOf(attribute.read)
      continue
    }
    if (!isPlain(value)) return null
    if (!isNothing(value)) counts.unwritable++
    own ??= {}
    own[prop] = value
  }
  return own ?? none
}

export function shapeOf(
  key: string | null,
  own: Readonly<Record<string, unknown>>,
  c: Shape | undefined,
): Shape {
  if (c === undefined && own === none) return key ?? 0
  return {
    ...(key === null ? {} : { k: key }),
    ...(own === none ? {} : { p: own }),
    ...(c === undefined ? {} : { c }),
  }
}

export function isDefault(shape: Shape | undefined): boolean {
  if (!Array.isArray(shape)) return shape === undefined || shape === 0
  return shape.length > 1 && shape.every((each) => each === 0)
}
