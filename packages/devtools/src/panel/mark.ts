import { createHome, type Home } from './markHome.ts'
import { markStyle } from './markStyle.ts'

/*
 * Runs in each page of the dev server, without React and the app's client code, because these may
 * be broken. The panel's code is only loaded when the panel is opened.
 */
const elementName = 'waymark-devtools'
/** Key in `sessionStorage` under which a browser tab remembers that its panel is open. */
const openKey = 'waymark-devtools'
/** Start of the cookie that a browser has after it has switched on faults. */
const faultCookie = 'waymark-faults='

// `disconnectedCallback` tells that the page or a dialog has removed the element. Only a class can
// have it.
class DevtoolsElement extends HTMLElement {
  onLeave: () => void = () => {}
  disconnectedCallback(): void {
    queueMicrotask(() => this.onLeave())
  }
  // React uses `parentNode` to find its root, and stops clicks in a document that it hasn't
  // hydrated yet. Without a parent, the panel also works in a document that never hydrates.
  override get parentNode(): null {
    return null
  }
  // With this method, moving the element doesn't call `disconnectedCallback`.
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
  // Automated tests don't see the devtools unless they open them.
  if (!navigator.webdriver) home.enter()
  if (isRemembered()) void open(false)
  if (document.cookie.includes(faultCookie)) {
    void import('./faultLease.ts').then(({ renewFaults }) => renewFaults(window))
  }
}

function createToggle(host: HTMLElement, home: Home) {
  // With a closed shadow root, the app's tests don't find elements of the devtools.
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
      console.error('The devtools panel could not be loaded.', thrown)
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
  // Alt changes the character on some keyboards, so check the key's position.
  if (code !== 'KeyD' || !altKey || !shiftKey || ctrlKey || metaKey) return
  event.preventDefault()
  event.stopPropagation()
  act()
}

/**
 * Keeps the devtools' events from the page. The page could otherwise close a menu, for example,
 * because it takes a click in the devtools for a click outside of the menu.
 */
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
    // With blocked storage, the panel is just closed after each page load.
  }
}

function isRemembered(): boolean {
  try {
    return sessionStorage.getItem(openKey) !== null
  } catch {
    return false
  }
}
