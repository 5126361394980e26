import {
  elementSize,
  type HtmlReference,
  type HtmlReferences,
  type Shape,
} from '../../shared/htmlReference.ts'

/**
 * Completes a document's payload with the elements that stand in its HTML only.
 * @param text begins with the references
 * @param block the payload's, behind the app's elements
 * @returns `null` where the DOM is not what the server wrote: code or an extension has changed it
 */
export function readFromHtml(text: string, block: Element): string | null {
  const end = text.indexOf('\n')
  const [names, origins, ...references] = JSON.parse(text.slice(1, end)) as HtmlReferences
  /** How much should have been read, less what was. */
  let size = 0

  function readText(text: string): string {
    size -= text.length
    // As React writes a text that begins like a reference.
    return text.startsWith('$') ? `$${text}` : text
  }
  function readElement(element: Element, shape: Shape): unknown {
    const { k, p, c } = (typeof shape === 'string' ? { k: shape } : shape) as Details
    const props: Record<string, unknown> = {}
    size -= elementSize
    for (const { name, value } of element.attributes) {
      const prop = names[name] ?? name
      if (!pendingMarks.test(name) && !(p && prop in p)) props[prop] = readText(value)
    }
    const nodes = [...element.childNodes].filter((node) => node.nodeType !== 8)
    const read = (shape: Shape): unknown => {
      if (Array.isArray(shape)) return shape.map(read)
      const { n } = shape as Details
      if (typeof n === 'number') nodes.shift()
      if (n !== undefined) return n
      const node = nodes.shift()
      return node instanceof Element ? readElement(node, shape) : readText(node?.nodeValue ?? '')
    }
    if (c !== undefined || nodes.length > 0) {
      props.children = read(c ?? (nodes.length > 1 ? nodes.map(() => 0) : 0))
    }
    return ['$', element.localName, k ?? null, { ...props, ...p }]
  }

  const find = (path: string, from: Node | null | undefined) =>
    from ? document.evaluate(path, from, null, 9).singleNodeValue : null
  const starts = origins.map((path) => find(path, block))
  const rows = text.slice(end + 1).replace(/"\$~(\d+)"/g, (_, index) => {
    const [origin, path, whole, shape] = references[index] as HtmlReference
    const element = find(path, starts[origin])
    size += whole
    return element ? JSON.stringify(readElement(element as Element, shape)) : ''
  })
  return size === 0 ? rows : null
}

/** Of a link that was clicked before React came. */
const pendingMarks = /^(?:aria-busy|data-pending)$/

/** What a shape may say. */
type Details = {
  readonly k?: string
  readonly p?: Readonly<Record<string, unknown>>
  readonly c?: Shape
  readonly n?: unknown
}
