import { createLiveEvents } from '../events/browserEvents.ts'
import { arrivalsTab } from './arrivalsTab.ts'
import { cacheTab } from './cacheTab.ts'
import { contractTab } from './contractTab.ts'
import { element, iconButton, note, type PanelChild } from './element.ts'
import { errorsTab } from './errorsTab.ts'
import { faultsTab } from './faultsTab.ts'
import { liveTab } from './liveTab.ts'
import { createPlace } from './panelPlace.ts'
import { PanelError, panelBasePath } from './panelRequests.ts'
import { panelStyle } from './panelStyle.ts'
import type { PanelTab, TabContext } from './panelTab.ts'
import { payloadTab } from './payloadTab.ts'
import { prefetchTab } from './prefetchTab.ts'
import { routeTab } from './routeTab.ts'

const tabs: readonly PanelTab[] = [
  arrivalsTab,
  faultsTab,
  errorsTab,
  prefetchTab,
  cacheTab,
  liveTab,
  routeTab,
  contractTab,
  payloadTab,
]
const tabKey = 'waymark-devtools-tab'
const lookEveryMs = 500
/** Minimum time between two renderings of a tab that shows events, in milliseconds. */
const liveEveryMs = 1_000

export type PanelOptions = {
  readonly root: ShadowRoot
  readonly view: Window
  /** Returns the URL of the inspected page. */
  page(): URL
  readonly takesFocus: boolean
  /**
   * Called when the user closes the panel; `null` for a standalone panel, which can't be closed.
   */
  readonly onClose: (() => void) | null
}

/** Opens the panel. @returns a function that closes it */
export function openPanel(options: PanelOptions): () => void {
  const { root, takesFocus, onClose } = options
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(panelStyle)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  const body = element('div', { className: 'body', role: 'tabpanel', id: 'body', tabIndex: 0 })
  const live = element('p', { className: 'unseen', role: 'status' })
  const tabView = createTabView({ ...options, body, live })
  const place = onClose && createPlace(() => panel)
  const open = (tab: PanelTab) => {
    place?.expand()
    show(tab)
  }
  const buttons = tabs.map((tab) => tabButton(tab, () => open(tab)))
  const list = element(
    'div',
    { className: 'tabs', role: 'tablist', ariaLabel: 'Devtools' },
    ...buttons,
  )
  list.onkeydown = (event) => moveAlong(event, buttons)
  function show(tab: PanelTab): void {
    storeTab(tab.id)
    for (const [at, each] of buttons.entries()) {
      const isCurrent = tabs[at] === tab
      each.ariaSelected = String(isCurrent)
      each.tabIndex = isCurrent ? 0 : -1
      if (isCurrent) body.setAttribute('aria-labelledby', each.id)
    }
    tabView.show(tab)
  }
  const panel: HTMLElement = element(
    'section',
    {
      className: onClose ? 'panel' : 'panel whole',
      role: onClose ? 'dialog' : 'region',
      ariaLabel: 'Waymark devtools',
    },
    panelHead(list, [
      iconButton('↻', 'Refresh', tabView.refresh),
      ...(place?.buttons ?? []),
      onClose && iconButton('✕', 'Close (Escape)', onClose),
    ]),
    body,
    live,
    place?.edge ?? null,
  )
  place?.show()
  if (onClose) panel.onkeydown = (event) => closeByEscape(event, onClose)
  root.append(panel)
  show(tabs.find(({ id }) => id === storedTab()) ?? arrivalsTab)
  if (takesFocus) buttons.find(({ tabIndex }) => tabIndex === 0)?.focus()
  return () => {
    tabView.stop()
    panel.remove()
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}

function closeByEscape(event: KeyboardEvent, close: () => void): void {
  if (event.key !== 'Escape' || event.isComposing) return
  // Escape would otherwise also close a dialog in the app.
  event.preventDefault()
  close()
}

function panelHead(list: HTMLElement, buttons: readonly PanelChild[]): HTMLElement {
  return element(
    'div',
    { className: 'head' },
    element('span', { className: 'blaze' }),
    list,
    ...buttons,
  )
}

type TabViewOptions = Pick<PanelOptions, 'root' | 'view' | 'page'> & {
  readonly body: HTMLElement
  readonly live: HTMLElement
}

/**
 * Creates the view that renders the current tab. It renders the tab again when the content is out
 * of date or the page has changed.
 */
function createTabView({ body, live, view, page, root }: TabViewOptions) {
  let current: PanelTab = arrivalsTab
  let renderedAtMs = 0
  let renderedHref = ''
  let renders = 0
  const refresh = () => void render(false)
  let renderedEventCount = 0
  const events = createLiveEvents(view, panelBasePath)
  const announce = (text: string) => live.replaceChildren(text)
  const context: TabContext = { view, page, events, refresh, announce }

  /** True while the user types or clicks, or has expanded something that rendering would close. */
  function isUsed(): boolean {
    const focused = root.activeElement
    const isFocused = body.contains(focused) && focused !== body && keyOf(focused) === undefined
    const isLost = body.querySelector('details[open]:not([data-key])') !== null
    return isFocused || isLost || body.matches(':active')
  }
  async function render(isAutomatic: boolean): Promise<void> {
    renders += 1
    const renderNumber = renders
    renderedAtMs = performance.now()
    renderedHref = page().href
    renderedEventCount = events.count()
    body.ariaBusy = 'true'
    const content = await current.render(context).catch((thrown: unknown) => {
      const text = thrown instanceof PanelError ? thrown.message : `This tab failed: ${thrown}`
      return note(text, 'note bad')
    })
    // If the user has opened a different tab in the meantime, discard the result.
    if (renderNumber !== renders) return
    body.ariaBusy = null
    if (isAutomatic && isUsed()) renderedEventCount = -1
    else redraw(body, content, root)
  }
  function look(): void {
    const ageMs = performance.now() - renderedAtMs
    const isOld = current.isLive
      ? ageMs > liveEveryMs && renderedEventCount !== events.count()
      : current.everyMs !== undefined && ageMs > current.everyMs
    if (renderedHref !== page().href) void render(current.isLive === true)
    else if (isOld && !isUsed()) void render(true)
  }
  const timer = setInterval(look, lookEveryMs)
  return {
    refresh,
    show(tab: PanelTab): void {
      current = tab
      body.replaceChildren(note('Loading…'))
      refresh()
    },
    stop(): void {
      clearInterval(timer)
      events.stop()
    },
  }
}

/** Returns a row's key, given the row or its summary. */
function keyOf(element: Element | null): string | undefined {
  const row = element?.matches('summary') ? element.parentElement : element
  return row instanceof HTMLElement ? row.dataset.key : undefined
}

/**
 * Replaces the content. Expanded rows with a key stay expanded, and the same element keeps the
 * focus.
 */
function redraw(body: HTMLElement, content: Node, root: ShadowRoot): void {
  const focused = root.activeElement?.getAttribute('name') ?? null
  const focusedKey = keyOf(root.activeElement)
  const opened = [...body.querySelectorAll('details[open]')].map(keyOf)
  body.replaceChildren(content)
  for (const row of body.querySelectorAll<HTMLDetailsElement>('details[data-key]')) {
    row.open ||= opened.includes(keyOf(row))
    if (focusedKey === keyOf(row)) row.querySelector('summary')?.focus({ preventScroll: true })
  }
  if (focused) body.querySelector<HTMLElement>(`[name="${focused}"]`)?.focus()
}

function tabButton({ id, title }: PanelTab, onclick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', role: 'tab', id: `tab-${id}`, onclick }, title)
  made.setAttribute('aria-controls', 'body')
  return made
}

/** Handles arrow keys, Home and End in the list of tabs. @see ARIA Authoring Practices, Tabs */
function moveAlong(event: KeyboardEvent, buttons: readonly HTMLButtonElement[]): void {
  const at = buttons.findIndex(({ ariaSelected }) => ariaSelected === 'true')
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
  const next = to === undefined ? undefined : buttons.at(to % buttons.length)
  if (!next) return
  event.preventDefault()
  next.click()
  next.focus()
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function storedTab(): string | null {
  try {
    return sessionStorage.getItem(tabKey)
  } catch {
    return null
  }
}

function storeTab(id: string): void {
  try {
    sessionStorage.setItem(tabKey, id)
  } catch {
    // With blocked storage, the panel just opens its first tab in the next document.
  }
}
