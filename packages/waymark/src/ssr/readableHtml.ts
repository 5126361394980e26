/** Where a node stands, as far as an HTML parser cares. There are few of them. */
export type Surroundings = {
  /** The element around it. */
  readonly tag: string
  /** It may be read from the DOM. */
  readonly isStatic: boolean
  /** Nothing inside of it may be. */
  readonly isOpaque: boolean
  readonly inParagraph: boolean
  readonly inLink: boolean
  readonly inHeading: boolean
  /** Those inside of the elements that stand there, by their tags, as far as they are known. */
  readonly inner: Map<string, Surroundings | null>
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))

const phrasing = set(
  'a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr svg',
)
const flow = set(
  'address article aside blockquote div dl figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr main nav ol p pre section table ul',
)
/** Those that stand in certain elements only; an HTML parser moves them elsewhere. */
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
const opaque = set('button input label select textarea video audio canvas iframe picture progress')

const holdNoText = set('table thead tbody tfoot tr html')

const hasOwnParts = set('ul ol dl table thead tbody tfoot tr')

/** All of them, by what they are told apart by: each chain of tags leads to one. */
const known = new Map<string, Surroundings>()
const outermost: Surroundings['inner'] = new Map()

/**
 * Where the children of an element stand, if it stays where it is.
 * @returns `null` for one that an HTML parser or React may put elsewhere, and for a component
 */
export function surroundingsIn(tag: string, around: Surroundings | null): Surroundings | null {
  const inner = around?.inner ?? outermost
  let inside = inner.get(tag)
  if (inside === undefined) {
    inside = tag.startsWith('$') ? null : findSurroundings(tag, around)
    // Names of elements may come from content, which is without end.
    if (inside) inner.set(tag, inside)
  }
  return inside
}

function findSurroundings(tag: string, around: Surroundings | null): Surroundings | null {
  const outer = around?.tag ?? ''
  const isSvgPart = svgParts.has(tag)
  const isOpaque = opaque.has(tag)
  const isInline = isSvgPart || isOpaque || phrasing.has(tag)
  const isContainer = containers.has(tag)
  const parents = inner[tag]
  if (!isInline && !isContainer && !parents && !flow.has(tag)) return null
  const isInSvg = outer === 'svg' || svgParts.has(outer)
  if (isSvgPart !== isInSvg || (isInSvg && outer !== 'svg' && outer !== 'g')) return null
  if (parents ? !parents.has(outer) : hasOwnParts.has(outer)) return null
  const isHeading = /^h[1-6]$/.test(tag)
  const { inParagraph = false, inHeading = false, inLink = false } = around ?? {}
  if ((inParagraph && !isInline) || (inHeading && isHeading) || (inLink && tag === 'a')) return null
  const inside: Surroundings = {
    tag,
    isStatic: !isContainer && !isOpaque,
    isOpaque,
    inParagraph: inParagraph || tag === 'p',
    inHeading: inHeading || isHeading,
    inLink: inLink || tag === 'a',
    inner: new Map(),
  }
  const id = [tag, inside.inParagraph, inside.inHeading, inside.inLink].join()
  const same = known.get(id)
  if (!same) known.set(id, inside)
  return same ?? inside
}

/** Whether a parser leaves a text where it stands. */
export function mayHoldText(around: Surroundings | null): boolean {
  return around === null || !holdNoText.has(around.tag)
}

/** Attributes whose name or value React writes in a way of its own, and the others, by property. */
const aliases: Readonly<Record<string, string>> = {
  className: 'class',
  srcSet: 'srcset',
  tabIndex: 'tabindex',
  colSpan: 'colspan',
  rowSpan: 'rowspan',
  dateTime: 'datetime',
  fetchPriority: 'fetchpriority',
  hrefLang: 'hreflang',
  referrerPolicy: 'referrerpolicy',
  crossOrigin: 'crossorigin',
  strokeWidth: 'stroke-width',
  strokeLinecap: 'stroke-linecap',
  strokeLinejoin: 'stroke-linejoin',
  strokeOpacity: 'stroke-opacity',
  fillRule: 'fill-rule',
  fillOpacity: 'fill-opacity',
  clipRule: 'clip-rule',
}
const plain = set(
  'className srcSet id title lang dir role href src alt rel target loading decoding sizes width height d fill stroke cx cy r rx ry x y x1 x2 y1 y2 points viewBox xmlns transform strokeWidth strokeLinecap strokeLinejoin strokeOpacity fillRule fillOpacity clipRule dateTime hrefLang cite',
)
const explicit = set(
  'style hidden translate start reversed value type scope headers abbr download tabIndex colSpan rowSpan fetchPriority referrerPolicy crossOrigin',
)
/** The browser's code marks links with them. */
const own = set('aria-busy data-pending')
const urls = set('href src cite')

/** @returns the attribute of a property; `null` where it is not known */
export function attributeOf(prop: string): string | null {
  return isGeneric(prop) || explicit.has(prop) ? (aliases[prop] ?? prop) : null
}

/** Whether the DOM has a property's value as it is. */
export function isTold(prop: string, value: string): boolean {
  if (value === '' || !isGeneric(prop)) return false
  // React leaves scripts out; Flight escapes dollar signs.
  return !value.startsWith('$') && (!urls.has(prop) || !/^\W*j/i.test(value))
}

function isGeneric(prop: string): boolean {
  return plain.has(prop) || (/^(?:data|aria)-[a-z0-9-]+$/.test(prop) && !own.has(prop))
}
