/** The place of an element in a page that it is no part of. */
export type Home = {
  /** Puts it there, as soon as the page has a body. */
  enter(): void
  /** Puts it back, and above everything. */
  settle(): void
}

/**
 * Creates the place of the devtools: behind the body, so that no selector of the app counts it and
 * the app's elements come first in the order of focus, and in the top layer. While a modal dialog
 * is open, everything outside of it is inert: then the place is within.
 */
export function createHome(host: HTMLElement): Home {
  const { ownerDocument: document } = host
  /** Those that are open, the uppermost last. */
  let modals = [...document.querySelectorAll<HTMLDialogElement>('dialog')].filter(isModal)
  let isEntered = false

  function settle(): void {
    if (!isEntered) return
    if (!document.body) return void requestAnimationFrame(settle)
    modals = modals.filter((dialog) => dialog.isConnected && isModal(dialog))
    const parent = modals.at(-1) ?? document.documentElement
    if (host.parentElement !== parent) move(parent, host)
    raise(host)
  }
  new MutationObserver((mutations) => {
    for (const { target } of mutations) {
      if (!(target instanceof HTMLDialogElement) || host.contains(target)) continue
      modals = modals.filter((dialog) => dialog !== target)
      if (isModal(target)) modals.push(target)
    }
    settle()
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['open'] })

  return {
    settle,
    enter() {
      isEntered = true
      settle()
    },
  }
}

function isModal(dialog: HTMLDialogElement): boolean {
  return dialog.matches(':modal')
}

type Movable = Element & { moveBefore?(node: Node, child: Node | null): void }

/** Moves without a new start, where the browser can: focus and scrolling stay. */
function move(parent: Movable, host: HTMLElement): void {
  if (host.isConnected && parent.moveBefore) parent.moveBefore(host, null)
  else parent.append(host)
}

/** What was shown last is above the others of the top layer. */
function raise(host: HTMLElement): void {
  if (!host.showPopover) return
  host.popover = 'manual'
  if (host.matches(':popover-open')) host.hidePopover()
  host.showPopover()
}
