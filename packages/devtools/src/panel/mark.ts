import { createHome, type Home } from './markHome.ts'
import { markStyle } from './markStyle.ts'

/*
 * Runs in each page of the dev server, beside the app and without it: it has no part of React or of
 * the app's client, which may be what is broken. The panel itself loads when it is opened.
 */
const elementName = 'waymark-devtools'
/** Where a tab remembers that its panel is open, for its next document. */
const openKey = 'waymark-devtools'
/** Told to browsers that have faults switched on. */
const faultCookie = 'waymark-faults='

// A custom element has to be a class. It says when a page, or a dialog of it, went away with it.
class DevtoolsElement extends HTMLElement {
  onLeave: () => void = () => {}
  disconnectedCallback(): void {
    queueMicrotask(() => this.onLeave())
  }
  // React finds its root by this, and stops each click in a document that it has not hydrated: one
  // that waits for ever would take the panel with it.
  override get parentNode(): null {
    return null
  }
  // With it, a move is none of those.
  connectedMoveCallback(): void {}
}

if (!customElements.get(elementName)) start()

function start(): void {
  customElements.define(elementName, DevtoolsElement)
  const host = document.createElement(elementName) as DevtoolsElement
  const home = createHome(host)
  host.onLeave = home.settle
  stopEvents(host)
  const { toggle, open } = createToggle(host, home)
  addEventListener('keydown', (event) => onShortcut(event, toggle), { capture: true })
  // An app's tests see the page as it is without the devtools, until they ask for them.
  if (!navigator.webdriver) home.enter()
  if (isRemembered()) void open(false)
  if (document.cookie.includes(faultCookie)) {
    void import('./faultLease.ts').then(({ renewFaults }) => renewFaults(window))
  }
}

function createToggle(host: HTMLElement, home: Home) {
  // Closed: what an app's own tests look for is never found in here.
  const root = host.attachShadow({ mode: 'closed' })
  const mark = createMark(root)
  const page = () => new URL(location.href)
  let before: Element | null = null
  let closePanel: (() => void) | null = null
  let isOpening = false

  async function open(takesFocus: boolean): Promise<void> {
    if (isOpening) return
    isOpening = true
    before = takesFocus ? document.activeElement : null
    home.enter()
    try {
      const { openPanel } = await import('./panel.ts')
      closePanel = openPanel({ root, view: window, page, onClose: close, takesFocus })
      showState(true)
    } catch (thrown) {
      console.error('The panel of the devtools could not be loaded.', thrown)
    }
    isOpening = false
  }
  function close(): void {
    closePanel?.()
    closePanel = null
    showState(false)
    const isGone = !before?.isConnected || before === document.body || before === host
    if (before instanceof HTMLElement && !isGone) before.focus()
    else mark.focus()
  }
  function showState(isOpen: boolean): void {
    mark.ariaExpanded = String(isOpen)
    host.toggleAttribute('data-open', isOpen)
    remember(isOpen)
  }
  const toggle = () => (closePanel ? close() : void open(true))
  mark.onclick = toggle
  return { toggle, open }
}

function createMark(root: ShadowRoot): HTMLButtonElement {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(markStyle)
  root.adoptedStyleSheets = [sheet]
  const mark = document.createElement('button')
  mark.type = 'button'
  mark.className = 'mark'
  mark.title = 'Waymark devtools (Alt+Shift+D)'
  mark.ariaLabel = 'Waymark devtools'
  mark.ariaExpanded = 'false'
  root.append(mark)
  return mark
}

function onShortcut(event: KeyboardEvent, act: () => void): void {
  const { code, altKey, shiftKey, ctrlKey, metaKey } = event
  // By its place: with Alt, some keyboards write another character.
  if (code !== 'KeyD' || !altKey || !shiftKey || ctrlKey || metaKey) return
  event.preventDefault()
  event.stopPropagation()
  act()
}

/** What happens in here is none of the page's business: a click beside a menu would close it. */
function stopEvents(host: HTMLElement): void {
  const types = [
    'click',
    'dblclick',
    'contextmenu',
    'keydown',
    'keyup',
    'keypress',
    'input',
    'change',
    'pointerdown',
    'pointerup',
    'pointermove',
    'pointerover',
    'pointerout',
    'mousedown',
    'mouseup',
    'mousemove',
    'mouseover',
    'mouseout',
    'touchstart',
    'touchend',
    'focusin',
    'focusout',
    'submit',
    'wheel',
    'beforeinput',
    'toggle',
    'beforetoggle',
  ]
  for (const type of types) host.addEventListener(type, (event) => event.stopPropagation())
}

function remember(isOpen: boolean): void {
  try {
    if (isOpen) sessionStorage.setItem(openKey, '1')
    else sessionStorage.removeItem(openKey)
  } catch {
    // Storage may be blocked: the panel is then closed after each load.
  }
}

function isRemembered(): boolean {
  try {
    return sessionStorage.getItem(openKey) !== null
  } catch {
    return false
  }
}
