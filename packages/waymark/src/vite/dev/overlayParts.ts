import type { DevFailure } from './failures.ts'

/** Id of the module that shows failures in the browser. */
export const overlayId = 'virtual:waymark/overlay'

/** Id of the element that contains the failures as JSON. */
export const overlayData = 'waymark-failures'

/** URL of the journal's errors. A single error is at `<journalPath>/<digest>`. */
export const journalPath = '/_waymark/dev/errors'

/** Event that is sent to browsers when one of the app's files changes. */
export const changedEvent = 'waymark:changed'

/** Event with which a browser asks for the last change. The server replies with `changedEvent`. */
export const lastChangeEvent = 'waymark:last-change'

/**
 * Time since a file last changed. `null` if no file has changed, because JSON can't represent
 * infinity.
 */
export type FileChange = { readonly agoMs: number | null }

export type OverlayPage = {
  readonly index: number
  readonly count: number
  turnTo(index: number): void
}

const style = [
  '.waymark{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center;margin:0 0 1rem;',
  'font-size:13px;color:var(--dim)}',
  '.waymark a{color:var(--cyan)}.waymark b{font-weight:600;color:var(--window-color)}',
  '.waymark button{font:inherit;color:inherit;background:none;border:1px solid currentColor;',
  'border-radius:4px;min-width:28px;min-height:28px;cursor:pointer}',
  '.waymark button:disabled{opacity:.4;cursor:default}',
  '.waymark-server{color:var(--red)}.waymark-client{color:light-dark(#1a6b2f,#7fd992)}',
  '.waymark-diff{color:var(--dim)}',
].join('')

/**
 * Adds to Vite's overlay: the digest, a link to the journal, buttons for other failures, and
 * colours.
 */
export function decorateOverlay(root: ShadowRoot, failure: DevFailure, turn: OverlayPage): void {
  const { ownerDocument: document } = root.host
  // The app's content security policy may refuse a style element, so use a constructed stylesheet.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets.push(sheet)
  const create: Create = (name, members) => Object.assign(document.createElement(name), members)
  const bar = create('div', { className: 'waymark' })
  bar.append(...digestNodes(failure, create), ...pagerNodes(turn, create))
  root.querySelector('.window')?.prepend(bar)
  const body = root.querySelector('.message-body')
  if (body && isMismatch(failure.message)) body.replaceChildren(...coloured(body, create))
}

type Create = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  members: Partial<HTMLElementTagNameMap[Name]>,
) => HTMLElementTagNameMap[Name]

function digestNodes({ digest }: DevFailure, create: Create): Node[] {
  if (digest === null) return []
  const text = create('span', { textContent: 'Digest ' })
  text.append(create('b', { textContent: digest }))
  const href = `${journalPath}/${digest}`
  return [text, create('a', { href, target: '_blank', textContent: 'Open in the journal' })]
}

function pagerNodes({ index, count, turnTo }: OverlayPage, create: Create): Node[] {
  if (count < 2) return []
  const button = (textContent: string, ariaLabel: string, to: number) => {
    const disabled = to < 0 || to >= count
    const onclick = () => turnTo(to)
    return create('button', { type: 'button', textContent, ariaLabel, disabled, onclick })
  }
  const group = create('span', {})
  const back = button('‹', 'Previous error', index - 1)
  const on = button('›', 'Next error', index + 1)
  group.append(back, ` ${index + 1} of ${count} `, on)
  return [group]
}

function isMismatch(message: string): boolean {
  return message.startsWith('Hydration: ') && diffLine.test(message)
}

// Matches lines of React's diff. `+` marks the browser's rendering, and `-` the server's.
const diffLine = /^([+-])\s{2,}/m
function coloured(body: Element, create: Create): Node[] {
  const lines = (body.textContent ?? '').split('\n')
  return lines.map((line) => {
    const className = markOf(line)
    return create('span', { textContent: `${line}\n`, className })
  })
}

function markOf(line: string): string {
  const mark = diffLine.exec(line)?.[1]
  if (mark === undefined) return /^\s/.test(line) ? 'waymark-diff' : ''
  return mark === '+' ? 'waymark-client' : 'waymark-server'
}
