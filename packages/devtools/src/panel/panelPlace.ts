import { element, iconButton } from './element.ts'

type Side = 'bottom' | 'right'
type Place = {
  readonly side: Side
  readonly isShrunk: boolean
  readonly sizes: Record<Side, number>
}

const placeKey = 'waymark-devtools-place'
const first: Place = { side: 'bottom', isShrunk: false, sizes: { bottom: 460, right: 480 } }
const leastPixels = 160
const stepPixels = 32

/**
 * Creates the controls that dock the panel below or beside the page, collapse it to its tabs, and
 * resize it. The browser tab remembers the panel's place and size.
 */
export function createPlace(panel: () => HTMLElement) {
  let place = storedPlace()
  const dock = iconButton('', '', () => {
    change({ side: place.side === 'bottom' ? 'right' : 'bottom', isShrunk: false })
  })
  const shrink = iconButton('', '', () => change({ isShrunk: !place.isShrunk }))
  const edge = createEdge({ side: () => place.side, size: () => place.sizes[place.side], resize })

  function show(): void {
    const { side, isShrunk, sizes } = place
    const isBeside = side === 'right'
    panel().dataset.side = side
    panel().toggleAttribute('data-shrunk', isShrunk)
    panel().style.setProperty('--size', `${sizes[side]}px`)
    label(dock, isBeside ? '⬓' : '◨', isBeside ? 'Dock below the page' : 'Dock beside the page')
    label(shrink, isShrunk ? '▴' : '▾', isShrunk ? 'Expand' : 'Collapse to the tabs')
    edge.ariaOrientation = isBeside ? 'vertical' : 'horizontal'
    edge.ariaValueMin = String(leastPixels)
    edge.ariaValueNow = String(sizes[side])
  }
  function change(changed: Partial<Place>): void {
    place = { ...place, ...changed }
    store(place)
    show()
  }
  function resize(pixels: number): void {
    const { side } = place
    const most = side === 'right' ? innerWidth : innerHeight
    const size = Math.round(Math.max(Math.min(pixels, most - 48), leastPixels))
    change({ sizes: { ...place.sizes, [side]: size } })
  }
  return { show, edge, buttons: [dock, shrink], expand: () => change({ isShrunk: false }) }
}

type EdgeOptions = { side(): Side; size(): number; resize(pixels: number): void }

/**
 * Creates the edge that resizes the panel with a pointer or with arrow keys. @see ARIA Authoring
 * Practices, Window Splitter
 */
function createEdge({ side, size, resize }: EdgeOptions): HTMLElement {
  const edge = element('div', { className: 'edge', role: 'separator', tabIndex: 0 })
  edge.ariaLabel = 'Size of the devtools panel'
  edge.onpointerdown = ({ pointerId }) => edge.setPointerCapture(pointerId)
  edge.onpointermove = ({ pointerId, clientX, clientY }) => {
    if (!edge.hasPointerCapture(pointerId)) return
    resize(side() === 'right' ? innerWidth - clientX : innerHeight - clientY)
  }
  edge.onkeydown = (event) => {
    const [more, less] = side() === 'right' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    if (event.key !== more && event.key !== less) return
    event.preventDefault()
    resize(size() + (event.key === more ? stepPixels : -stepPixels))
  }
  return edge
}

function label(button: HTMLElement, icon: string, title: string): void {
  button.replaceChildren(icon)
  button.title = title
  button.ariaLabel = title
}

function storedPlace(): Place {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(placeKey) ?? 'null')
    return { ...first, ...(stored as Partial<Place> | null) }
  } catch {
    return first
  }
}

function store(place: Place): void {
  try {
    sessionStorage.setItem(placeKey, JSON.stringify(place))
  } catch {
    // With blocked storage, the panel is just below the page again in the next document.
  }
}
