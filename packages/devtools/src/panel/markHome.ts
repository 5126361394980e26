/** Keeps an element in a page that doesn't know it. */
export type Home = {
  /** Inserts the element as soon as the page has a body. */
  enter(): void
  /** Puts the element back, on top of everything. */
  settle(): void
}

/**
 * Creates the place of the devtools. It is after the body, so that no selector of the app matches
 * it and the app's elements come first in the focus order. It is also in the top layer. While a
 * modal dialog is open, everything outside is inert, so the devtools move into the dialog.
 */
export function createHome(host: HTMLElement): Home {
  const { ownerDocument: document } = host
  /** Open modal dialogs, topmost last. */
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

/** Moves an element. If the browser supports `moveBefore`, focus and scroll positions are kept. */
function move(parent: Movable, host: HTMLElement): void {
  if (host.isConnected && parent.moveBefore) parent.moveBefore(host, null)
  else parent.append(host)
}

/** Shows the element again, because the element that was shown last is on top of the top layer. */
function raise(host: HTMLElement): void {
  if (!host.showPopover) return
  host.popover = 'manual'
  if (host.matches(':popover-open')) host.hidePopover()
  host.showPopover()
}
