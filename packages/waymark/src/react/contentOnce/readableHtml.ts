/** Where a node stands, as far as an HTML parser cares: a few dozens in all. */
export type HtmlContext = {
  readonly tag: string
  readonly isReadable: boolean
  /** Nothing inside of the element may be read. */
  readonly hidesContent: boolean
  /** `childrenHtml` writes the element as React does. */
  readonly isWritable: boolean
  readonly inParagraph: boolean
  readonly inLink: boolean
  readonly inHeading: boolean
  readonly inButton: boolean
  readonly inner: Map<string, HtmlContext | null>
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))

const phrasing = set(
  'a abbr b bdi bdo br button cite code del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr svg',
)
const flow = set(
  'address article aside blockquote div dl figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr main nav ol p pre section table ul',
)
/** Elements that a parser moves out of any other parent. */
const inner: Readonly<Record<string, ReadonlySet<string>>> = {
  li: set('ul ol'),
  dt: set('dl'),
  dd: set('dl'),
  caption: set('table'),
  thead: set('table'),
  tbody: set('table'),
  tfoot: set('table'),
  tr: set('thead tbody tfoot'),
  td: set('tr'),
  th: set('tr'),
}
const svgParts = set('g path circle ellipse line polyline polygon rect')
/** Their attributes change by what a person does, or scripts do. */
const containers = set('html body form fieldset details dialog')
const hidingContent = set('input label select textarea video audio canvas iframe picture progress')

const holdNoText = set('table thead tbody tfoot tr html')

const hasOwnParts = set('ul ol dl table thead tbody tfoot tr')

const known = new Map<string, HtmlContext>()
const outermost: HtmlContext['inner'] = new Map()

/**
 * Where the children of an element stand.
 * @returns `null` for one that a parser or React may put elsewhere, and for a component
 */
export function htmlContextIn(tag: string, around: HtmlContext | null): HtmlContext | null {
  const inner = around?.inner ?? outermost
  let inside = inner.get(tag)
  if (inside === undefined) {
    inside = tag.startsWith('$') ? null : findContext(tag, around)
    // Names of elements may come from content, which is without end.
    if (inside) inner.set(tag, inside)
  }
  return inside
}

function findContext(tag: string, around: HtmlContext | null): HtmlContext | null {
  const outer = around?.tag ?? ''
  const isSvgPart = svgParts.has(tag)
  const hidesContent = hidingContent.has(tag)
  const isInline = isSvgPart || hidesContent || phrasing.has(tag)
  const isContainer = containers.has(tag)
  const parents = inner[tag]
  if (!isInline && !isContainer && !parents && !flow.has(tag)) return null
  if (isSvgPart !== isInSvg(around)) return null
  if (isSvgPart && outer !== 'svg' && outer !== 'g') return null
  if (parents ? !parents.has(outer) : hasOwnParts.has(outer)) return null
  const isHeading = /^h[1-6]$/.test(tag)
  const { inParagraph = false, inHeading = false, inLink = false, inButton = false } = around ?? {}
  if ((inParagraph && !isInline) || (inHeading && isHeading)) return null
  if ((inLink && tag === 'a') || (inButton && tag === 'button')) return null
  const inside: HtmlContext = {
    tag,
    isReadable: !isContainer && !hidesContent,
    hidesContent,
    isWritable: tag !== 'img' && tag !== 'pre' && tag !== 'button',
    inParagraph: inParagraph || tag === 'p',
    inHeading: inHeading || isHeading,
    inLink: inLink || tag === 'a',
    inButton: inButton || tag === 'button',
    inner: new Map(),
  }
  const id = [tag, inside.inParagraph, inside.inHeading, inside.inLink, inside.inButton].join()
  const same = known.get(id)
  if (!same) known.set(id, inside)
  return same ?? inside
}

export function mayHoldText(around: HtmlContext | null): boolean {
  return around === null || !holdNoText.has(around.tag)
}

export function isInSvg(around: HtmlContext | null): boolean {
  return around !== null && (around.tag === 'svg' || svgParts.has(around.tag))
}

/**
 * Counts the elements in the place of one: none for what React moves to the head; `null`: not
 * known.
 */
export function countInPlace(
  tag: string,
  props: Readonly<Record<string, unknown>>,
  around: HtmlContext | null,
): 0 | 1 | null {
  if (isInSvg(around)) return null
  if (unreadableProps.some((prop) => prop in props)) return null
  const { rel, href, precedence } = props
  if (tag === 'title' || tag === 'meta') return 0
  if (tag === 'script') {
    if (props.async === true && isGiven(props.src)) return 0
    return 'async' in props ? null : 1
  }
  const isStyle = tag === 'style' || (tag === 'link' && rel === 'stylesheet')
  return isStyle && isGiven(href) && isGiven(precedence) ? 0 : null
}

const unreadableProps = ['itemProp', 'onLoad', 'onError', 'disabled']

function isGiven(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.startsWith('$')
}

export type Attribute = {
  readonly written: string
  readonly read: string
  readonly isPlain: boolean
  readonly isUrl: boolean
}

const renamed: Readonly<Record<string, string>> = {
  className: 'class',
  strokeWidth: 'stroke-width',
  strokeLinecap: 'stroke-linecap',
  strokeLinejoin: 'stroke-linejoin',
  strokeOpacity: 'stroke-opacity',
  fillRule: 'fill-rule',
  fillOpacity: 'fill-opacity',
  clipRule: 'clip-rule',
}
const plain =
  'className srcSet id title lang dir role href src alt rel target loading decoding sizes width height d fill stroke cx cy r rx ry x y x1 x2 y1 y2 points viewBox xmlns transform strokeWidth strokeLinecap strokeLinejoin strokeOpacity fillRule fillOpacity clipRule dateTime hrefLang cite'
const special =
  'style hidden translate start reversed value type scope headers abbr download tabIndex colSpan rowSpan fetchPriority referrerPolicy crossOrigin'
const urls = set('href src cite')
const attributes = new Map([
  ...plain.split(' ').map((prop) => [prop, createAttribute(prop, true)] as const),
  ...special.split(' ').map((prop) => [prop, createAttribute(prop, false)] as const),
])

function createAttribute(prop: string, isPlain: boolean): Attribute {
  const written = renamed[prop] ?? prop
  const read = prop === 'viewBox' ? prop : written.toLowerCase()
  return { written, read, isPlain, isUrl: urls.has(prop) }
}

const own = set('aria-busy data-pending')

export function attributeOf(prop: string): Attribute | null {
  const known = attributes.get(prop)
  if (known) return known
  const isPlain = /^(?:data|aria)-[a-z0-9-]+$/.test(prop) && !own.has(prop)
  return isPlain ? { written: prop, read: prop, isPlain, isUrl: false } : null
}

export function isReadAsGiven({ isPlain, isUrl }: Attribute, value: string): boolean {
  // React leaves out empty ones and scripts; Flight escapes dollar signs.
  if (!isPlain || value === '' || value.startsWith('$')) return false
  return !isUrl || !/^\W*j/i.test(value)
}

export function isNothing(value: unknown): boolean {
  return value === null || value === '$undefined'
}

export function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return !value.startsWith('$') || /^\$(?:\$|undefined$)/.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isPlain)
}

// A parser changes returns and NUL, and splits long texts. Flight, as JSON, writes these as escapes.
const escapes = /\\(?:r|u0000|ud[89a-f])/
const unreadable = /[\r\0\ud800-\udfff]/u
const maxText = 30_000

/** Creates a check whether a text is the same once an HTML parser has read it. */
export function createTextCheck(payload: string): (text: string) => boolean {
  return escapes.test(payload)
    ? (each: string) => each.length < maxText && !unreadable.test(each)
    : (each: string) => each.length < maxText
}
