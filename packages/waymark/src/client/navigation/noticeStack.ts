import { focusStart, hiddenStyle } from './routeAnnouncer.ts'

type NoticeStack = ReturnType<typeof createNoticeStack>

const stackStyle =
  'position:fixed;inset:auto .75rem 1rem;margin:0 auto;z-index:2147483000;box-sizing:border-box;' +
  'width:auto;max-width:24rem;display:grid;gap:.5rem;padding:0;border:0;background:none;' +
  'overflow:visible;pointer-events:auto;text-align:start'

const stacks = new WeakMap<Document, NoticeStack>()

export function noticeStackOf(document: Document): NoticeStack {
  const existing = stacks.get(document)
  if (existing) return existing
  const created = createNoticeStack(document)
  stacks.set(document, created)
  return created
}

/** The key that moves the focus to the notices and back. */
const shortcut = 'F8'
/**
 * Milliseconds between adding the live region and its text, because screen readers only announce
 * changes in a region that already exists.
 */
const announceMs = 150
/**
 * Milliseconds after which the live region is cleared, so that screen readers find the text only
 * once, in the notice.
 */
const announcedMs = 1000

function createNoticeStack(document: Document) {
  const { stack, region } = createElements(document)
  const focus = createFocus(document, stack)
  const bars = new Map<HTMLElement, () => void>()
  const announcer = createAnnouncer(region)
  let listening: AbortController | null = null

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const isHandled = event.key === 'Escape' ? close() : focus.onKey(event)
    if (!isHandled) return
    // Otherwise a dialog below the notice would close or keep the focus.
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  function close(): boolean {
    const { activeElement } = document
    const [bar] = [...bars.keys()].reverse().sort((a) => (a.contains(activeElement) ? -1 : 0))
    if (bar) bars.get(bar)?.()
    return bar !== undefined
  }
  function listen({ signal }: AbortController): void {
    const view = document.defaultView
    // Listen on the window, which gets key events before any dialog does.
    view?.addEventListener('keydown', onKey, { capture: true, signal })
    document.addEventListener('input', focus.typed, { signal })
    watchTopLayer(document, stack, focus.preserve, signal)
  }

  return {
    /** Adds a notice. Screen readers announce its text once. */
    add(bar: HTMLElement, text: string, onEscape: () => void): void {
      bars.set(bar, onEscape)
      stack.append(bar)
      focus.enterFromHere()
      if (!listening) {
        listening = new AbortController()
        raise(document, stack)
        listen(listening)
      }
      announcer.announce(text)
    },
    /** Removes a notice, and returns the focus to the element that had it before. */
    remove(bar: HTMLElement): void {
      if (bar.contains(document.activeElement)) focus.leave()
      bars.delete(bar)
      bar.remove()
      if (bars.size > 0) return
      announcer.clear()
      stack.remove()
      listening?.abort()
      listening = null
    },
  }
}

function createAnnouncer(region: HTMLElement) {
  let timer: ReturnType<typeof setTimeout> | undefined
  function clear(): void {
    clearTimeout(timer)
    region.textContent = ''
  }
  return {
    clear,
    announce(text: string): void {
      clear()
      timer = setTimeout(() => {
        region.textContent = text
        timer = setTimeout(clear, announcedMs)
      }, announceMs)
    },
  }
}

function createElements(document: Document) {
  const stack = document.createElement('div')
  stack.setAttribute('data-waymark-notices', '')
  stack.popover = 'manual'
  stack.style.cssText = stackStyle
  const region = document.createElement('div')
  region.setAttribute('role', 'status')
  region.style.cssText = hiddenStyle
  stack.append(region)
  // Hide events in notices from dialogs, which might close on a click outside or trap the focus.
  for (const type of quietEvents) stack.addEventListener(type, (event) => event.stopPropagation())
  // Prevent a click on a notice from moving the focus.
  stack.addEventListener('mousedown', (event) => event.preventDefault())
  return { stack, region }
}

const quietEvents = [
  'pointerdown',
  'mousedown',
  'touchstart',
  'pointerup',
  'mouseup',
  'click',
  'focusin',
  'focusout',
  'keydown',
]

function createFocus(document: Document, stack: HTMLElement) {
  let before: Element | null = null
  /**
   * The element that had the focus when the notice appeared. Tab moves the focus from this element
   * into the notice.
   */
  let entry: Element | null = null
  const active = () => document.activeElement
  const isInside = () => stack.contains(active())
  const buttons = () => [...stack.querySelectorAll('button')]

  function enter(): void {
    before = active()
    // Remove the focus before setting it, because a focus trap reacts when the focus moves directly
    // to a different element.
    blur(before)
    buttons()[0]?.focus()
  }
  function leave(): void {
    const button = active()
    entry = null
    blur(button)
    if (before instanceof HTMLElement && before !== document.body && before.checkVisibility()) {
      before.focus({ preventScroll: true })
    } else focusStart(document, null)
  }
  function onTab(isBack: boolean): boolean {
    if (!isInside()) {
      const leadsIn = !isBack && active() === entry
      if (leadsIn) enter()
      return leadsIn
    }
    const isLast = active() === buttons().at(isBack ? 0 : -1)
    if (isLast) leave()
    return isLast
  }
  return {
    leave,
    enterFromHere() {
      if (!isInside()) entry = active()
    },
    /** After typing, Tab moves to the next field as usual, not into the notice. */
    typed() {
      entry = null
    },
    preserve(move: () => void) {
      const focused = isInside() ? active() : null
      move()
      if (focused instanceof HTMLElement) focused.focus()
      else entry = active()
    },
    onKey({ key, shiftKey }: KeyboardEvent): boolean {
      if (key === 'Tab') return onTab(shiftKey)
      if (key !== shortcut) return false
      if (isInside()) leave()
      else enter()
      return true
    },
  }
}

function blur(element: Element | null): void {
  if (element instanceof HTMLElement) element.blur()
}

/** Keeps the stack above dialogs and popovers that open or close while it is shown. */
function watchTopLayer(
  document: Document,
  stack: HTMLElement,
  preserve: (move: () => void) => void,
  signal: AbortSignal,
): void {
  const raiseAgain = () => preserve(() => raise(document, stack))
  const observer = new MutationObserver((changes) => {
    const isMoved = changes.some(({ type }) => type === 'attributes')
    // Raise the stack again if it was removed together with a dialog that contained it.
    if (isMoved || !stack.isConnected) raiseAgain()
  })
  const options = { subtree: true, childList: true, attributeFilter: ['open'] }
  observer.observe(document, options)
  signal.addEventListener('abort', () => observer.disconnect())
  const onOpen = ({ target, newState }: Event & { newState?: string }) => {
    if (target !== stack && newState !== 'closed') raiseAgain()
  }
  for (const type of ['toggle', 'fullscreenchange']) {
    document.addEventListener(type, onOpen, { capture: true, signal })
  }
}

/**
 * Brings the stack to the top. An open modal dialog makes everything outside of it inert, so the
 * stack moves into the dialog. Otherwise, it is a sibling of the body.
 */
function raise(document: Document, stack: HTMLElement): void {
  const host = topDialog(document) ?? document.documentElement
  if (stack.parentNode !== host) host.append(stack)
  // Browsers without popovers rely on the stack's `z-index`.
  else stack.hidePopover?.()
  stack.showPopover?.()
}

function topDialog(document: Document): Element | undefined {
  const modal = 'dialog:modal'
  const all = [...document.querySelectorAll(modal)]
  if (all.length < 2) return all[0]
  // `elementFromPoint` never returns inert dialogs, so it finds the top one.
  return document.elementFromPoint(0, 0)?.closest(modal) ?? all.at(-1)
}
