import { type HtmlReferences, referencesMark, type Shape } from '../../shared/htmlReference.ts'

/**
 * Completes a document's payload with the elements that stand in its HTML only.
 * @param block the payload's, behind the app's elements
 * @returns `null` where the DOM is not what the server wrote: code or an extension has changed it
 */
export function readFromHtml(text: string, block: Element): string | null {
  if (!text.startsWith(referencesMark)) return text
  const end = text.indexOf('\n')
  const [names, ...references] = JSON.parse(text.slice(1, end)) as HtmlReferences
  let isSame = true
  const rows = text.slice(end + 1).replace(/"\$~(\d+)"/g, (_, index) => {
    const [path, length, shape] = references[index] as HtmlReferences[1]
    const { singleNodeValue: element } = document.evaluate(path, block, null, 9)
    const json = element ? JSON.stringify(readElement(element as Element, shape, names)) : ''
    isSame &&= json.length === length
    return json
  })
  return isSame ? rows : null
}

/** Of a link that was clicked before React came. */
const pendingMarks = /^(?:aria-busy|data-pending)$/

function readElement(element: Element, shape: Shape, names: HtmlReferences[0]): unknown {
  const { k, p, c } = (typeof shape === 'string' ? { k: shape } : shape) as Details
  const props: Record<string, unknown> = {}
  for (const { name, value } of element.attributes) {
    if (!pendingMarks.test(name)) props[names[name] ?? name] = escaped(value)
  }
  const nodes = [...element.childNodes].filter((node) => node.nodeType !== 8)
  const read = (shape: Shape): unknown => {
    if (Array.isArray(shape)) return shape.map(read)
    const { n } = shape as Details
    const node = n === undefined || typeof n === 'number' ? nodes.shift() : null
    if (n !== undefined) return n
    return node?.nodeType === 1
      ? readElement(node as Element, shape, names)
      : escaped(node?.nodeValue ?? '')
  }
  if (c !== undefined || nodes.length > 0) {
    props.children = read(c ?? (nodes.length > 1 ? nodes.map(() => 0) : 0))
  }
  return ['$', element.localName, k ?? null, { ...props, ...p }]
}

type Details = {
  readonly k?: string
  readonly p?: object
  readonly c?: Shape
  readonly n?: unknown
}

/** As React writes a string that begins like a reference. */
function escaped(text: string): string {
  return text.startsWith('$') ? `$${text}` : text
}
