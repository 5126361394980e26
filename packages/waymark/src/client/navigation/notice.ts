import type { ScreenLocale } from '../../screens/screenLocale.ts'

/** A choice that a notice offers. */
export type NoticeAction = { readonly label: string; readonly run: () => void }

/** What a notice says. */
export type Notice = { readonly text: string; readonly actions: readonly NoticeAction[] }

/** A place for one notice; those of several places stand above each other. */
export type NoticeBoard = { show(notice: Notice): void; hide(): void }

const stackStyle =
  'position:fixed;inset-block-end:1rem;inset-inline:.75rem;margin-inline:auto;z-index:2147483000;' +
  'max-width:24rem;display:grid;gap:.5rem'

const barStyle =
  'box-sizing:border-box;padding:.875rem;display:flex;flex-wrap:wrap;gap:.5rem;' +
  'align-items:center;border-radius:.625rem;border:1px solid light-dark(#0002,#fff3);' +
  'background:light-dark(#fff,#1c1c1e);color:light-dark(#1a1a1a,#f2f2f2);' +
  'box-shadow:0 6px 24px light-dark(#0003,#000a);font:400 .9375rem/1.45 system-ui,sans-serif'

const buttonStyle =
  'appearance:none;flex:1 0 auto;min-height:44px;padding:.375rem .5rem;border-radius:.5rem;cursor:pointer;' +
  'border:1px solid light-dark(#0004,#fff5);background:none;color:inherit;font:inherit;' +
  'font-size:.875rem;font-weight:500'

/**
 * Creates the place where navigations, or actions, report that they have timed out. It is plain
 * DOM, not React's: what blocks React must not block the notice.
 */
export function createNoticeBoard(
  document: Document,
  { lang, dir }: Pick<ScreenLocale, 'lang' | 'dir'>,
): NoticeBoard {
  let shown: HTMLElement | null = null

  function hide(): void {
    const stack = shown?.parentElement
    shown?.remove()
    shown = null
    if (stack?.childElementCount === 0) stack.remove()
  }

  return {
    hide,
    show({ text, actions }) {
      hide()
      const bar = document.createElement('div')
      bar.setAttribute('role', 'status')
      bar.lang = lang
      bar.dir = dir
      bar.setAttribute('data-waymark-notice', '')
      bar.style.cssText = barStyle
      const words = document.createElement('span')
      words.textContent = text
      words.style.cssText = 'flex:1 1 100%'
      bar.append(words, ...actions.map((action) => buttonOf(document, action)))
      stackOf(document).append(bar)
      shown = bar
    },
  }
}

function stackOf(document: Document): Element {
  const there = document.querySelector('[data-waymark-notices]')
  if (there) return there
  const stack = document.createElement('div')
  stack.setAttribute('data-waymark-notices', '')
  stack.style.cssText = stackStyle
  // Beside the body: what React has mounted in there is its own.
  document.documentElement.append(stack)
  return stack
}

function buttonOf(document: Document, { label, run }: NoticeAction): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = label
  button.style.cssText = buttonStyle
  button.addEventListener('click', run)
  return button
}
