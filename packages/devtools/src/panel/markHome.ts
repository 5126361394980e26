/** Keeps an element in a page whose app doesn't know about the element. */
export type Home = {
  /** Inserts the element as soon as the page has a body. */
  enter(): void
  /** Puts the element back in its place, above everything else. */
  settle(): void
}

/**
 * Creates the place for the devtools. It is after the body, so that the app's selectors don't match
 * the devtools and the app's elements come first in the focus order. It is also in the top layer.
 * An open modal dialog makes everything outside of it inert, so the devtools move into the dialog.
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

/** Moves an element. Keeps the focus and scroll positions if the browser supports `moveBefore`. */
function move(parent: Movable, host: HTMLElement): void {
  if (host.isConnected && parent.moveBefore) parent.moveBefore(host, null)
  else parent.append(host)
}

/** Hides the element and shows it again, because the last element to be shown is on top. */
function raise(host: HTMLElement): void {
  if (!host.showPopover) return
  host.popover = 'manual'
  if (host.matches(':popover-open')) host.hidePopover()
  host.showPopover()
}
