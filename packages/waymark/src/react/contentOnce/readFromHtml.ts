import {
  type HtmlReference,
  type HtmlReferences,
  type RepeatedElement,
  type Shape,
  sizeOf,
} from './htmlReference.ts'

/** How long elements are read until the browser has a turn, in milliseconds. */
const sliceMs = 8

/**
 * Completes a document's payload with the elements that stand in its HTML only, in slices.
 * @param block the payload's, behind the app's elements
 * @returns `null` where the DOM is not what the server wrote: code or an extension has changed it
 */
export async function readFromHtml(text: string, block: Element): Promise<string | null> {
  const end = text.indexOf('\n')
  const [names, origins, ...references] = JSON.parse(text.slice(1, end)) as HtmlReferences
  /** How much of an element should have been read, less what was. */
  let size = 0

  function readText(text: string): string {
    size -= sizeOf(text)
    // As React writes a text that begins like a reference.
    return text.startsWith('$') ? `$${text}` : text
  }
  function readElement(element: Element, shape: Shape): unknown {
    const { k, p, c } = (typeof shape === 'string' ? { k: shape } : shape) as Details
    const props: Record<string, unknown> = {}
    size -= hoisted.test(element.localName) ? Number.NaN : sizeOf(element.localName)
    for (const { name, value } of element.attributes) {
      const prop = names[name] ?? name
      if (pendingMarks.test(name) || (p && prop in p)) continue
      props[prop] = readText(value)
      size -= sizeOf(name)
    }
    const nodes = contentOf(element)
    const read = (shape: Shape): unknown => {
      if (Array.isArray(shape)) return shape.map(read)
      const { n } = shape as Details
      if (typeof n === 'number') nodes.shift()
      if (n !== undefined) return n
      const node = nodes.shift()
      // By its number: what a translator puts in the place of a text stands for it.
      return node?.nodeType === 1 ? readElement(node, shape) : readText(node?.nodeValue ?? '')
    }
    if ((c as Details | undefined)?.h) {
      props.dangerouslySetInnerHTML = { __html: readText(element.innerHTML) }
    } else if (c !== undefined || nodes.length > 0) {
      props.children = read(c ?? (nodes.length > 1 ? nodes.map(() => 0) : 0))
    }
    return ['$', element.localName, k ?? null, { ...props, ...p }]
  }

  const starts = origins.map((path) => find(path, block))
  const parts = text.slice(end + 1).split(/"\$~(\d+)"/)
  let sliceEnd = performance.now() + sliceMs
  for (let part = 1; part < parts.length; part += 2) {
    if (performance.now() > sliceEnd) {
      await nextTask()
      sliceEnd = performance.now() + sliceMs
    }
    const reference = references[Number(parts[part])] as HtmlReference | RepeatedElement
    if (reference[0] === '$') {
      parts[part] = JSON.stringify(reference)
      continue
    }
    const [origin, path, whole, shape] = reference as HtmlReference
    const element = find(path, starts[origin])
    size += whole
    parts[part] = element ? JSON.stringify(readElement(element as Element, shape)) : ''
    if (size !== 0) return null
  }
  return parts.join('')
}

function find(path: string, from: Node | null | undefined): Node | null {
  return from?.ownerDocument?.evaluate(path, from, null, 9).singleNodeValue ?? null
}

/** Lets the browser paint and handle events; a timer would wait for a second in a hidden tab. */
function nextTask(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = resolve
    port2.postMessage(null)
  })
}

/** Elements and texts; `nodeType` tells which. */
function contentOf(element: Element): Element[] {
  const nodes: Element[] = []
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType !== 8) nodes.push(node as Element)
  }
  return nodes
}

/** What React would move into the head: no reference is to one, but content may stand in its place. */
const hoisted = /^(?:base|link|meta|script|style|title)$/

/** Of a link that was clicked before React came. */
const pendingMarks = /^(?:aria-busy|data-pending)$/

type Details = {
  readonly k?: string
  readonly p?: Readonly<Record<string, unknown>>
  readonly c?: Shape
  readonly n?: unknown
  readonly h?: 1
}
