import type { ScreenTextOverrides } from '../../screens/screenTexts.ts'
import { createLocale, english, type ScreenLocale } from '../../screens/screenTexts.ts'
import { readDocumentTexts } from '../../wire/documentMarks.ts'
import { noticeStackOf } from './noticeStack.ts'

/** A button of a notice. */
export type NoticeAction = { readonly label: string; readonly run: () => void }

/** A short message over the page. */
export type Notice = {
  readonly text: string
  readonly actions: readonly NoticeAction[]
  /** Called when the user closes the notice with the Escape key. */
  readonly onEscape: () => void
}

/** A place for one notice. If several boards show notices, the notices are stacked. */
export type NoticeBoard = {
  /** Shows a notice in place of the previous one. The focus stays if both have the same texts. */
  show(notice: Notice): void
  hide(): void
}

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
 * Creates a place for one notice at a time, used for Waymark's own notices. Notices are plain DOM,
 * so they also appear while React is waiting. Screen readers announce the text of each new notice.
 */
export function createNoticeBoard(
  document: Document,
  locale: Pick<ScreenLocale, 'lang' | 'dir'>,
): NoticeBoard {
  const stack = noticeStackOf(document)
  let visible: { readonly bar: HTMLElement; notice: Notice } | null = null

  function hide(): void {
    if (visible) stack.remove(visible.bar)
    visible = null
  }

  return {
    hide,
    show(notice) {
      // Keep the element of a notice with the same texts, so that it keeps the focus and isn't
      // announced again.
      if (visible && isAlike(visible.notice, notice)) {
        visible.notice = notice
        return
      }
      hide()
      const bar = createBar(document, locale, notice, (at) => visible?.notice.actions[at]?.run())
      visible = { bar, notice }
      stack.add(bar, notice.text, () => visible?.notice.onEscape())
    },
  }
}

function isAlike(a: Notice, b: Notice): boolean {
  const labels = ({ actions }: Notice) => actions.map(({ label }) => label).join('\n')
  return a.text === b.text && labels(a) === labels(b)
}

function createBar(
  document: Document,
  { lang, dir }: Pick<ScreenLocale, 'lang' | 'dir'>,
  { text, actions }: Notice,
  choose: (at: number) => void,
): HTMLElement {
  const bar = document.createElement('div')
  // Don't make the notice a live region, which would have to exist before its text. The notice
  // stack has one.
  bar.setAttribute('role', 'group')
  // Use a description instead of a label, because apps' tests find form fields by label.
  bar.setAttribute('aria-description', text)
  bar.setAttribute('aria-keyshortcuts', 'F8')
  bar.lang = lang
  bar.dir = dir
  bar.setAttribute('data-waymark-notice', '')
  bar.style.cssText = barStyle
  const words = document.createElement('span')
  words.textContent = text
  words.style.cssText = 'flex:1 1 100%'
  const buttons = actions.map(({ label }, at) => buttonOf(document, label, () => choose(at)))
  bar.append(words, ...buttons)
  return bar
}

function buttonOf(document: Document, label: string, run: () => void): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = label
  button.style.cssText = buttonStyle
  button.addEventListener('click', run)
  return button
}

/**
 * Returns the language, direction and texts of the page's notices, from the app's `screens.ts` or in
 * English.
 */
export function documentLocale(): ScreenLocale {
  if (!import.meta.env.WAYMARK_SCREENS) return english
  const written = readDocumentTexts(document)
  if (!written) return english
  // The server validated the texts when it wrote the document.
  return createLocale(written.lang, written.texts as ScreenTextOverrides)
}
