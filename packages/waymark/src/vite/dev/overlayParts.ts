import type { DevFailure } from './failures.ts'

/** The module that shows failures in the browser. */
export const overlayId = 'virtual:waymark/overlay'

/** Id of the element with them, as JSON. */
export const overlayData = 'waymark-failures'

/** URL of the list of errors in the journal; below it is one by its digest. */
export const journalPath = '/_waymark/dev/errors'

/** Sent to browsers when a file of the app changes, and when one connects. */
export const changedEvent = 'waymark:changed'

/** Time since the last change of a file; `null` without one: JSON has no infinity. */
export type Change = { readonly agoMs: number | null }

/** Which of several failures is shown, and how to see the others. */
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
 * Adds to Vite's overlay: the digest, a link to the journal, the other failures, and the colours
 * of a difference between server and browser.
 */
export function decorateOverlay(root: ShadowRoot, failure: DevFailure, turn: OverlayPage): void {
  const { ownerDocument: document } = root.host
  // Not a style element: a strict policy of the app would refuse it.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets.push(sheet)
  const bar = document.createElement('div')
  bar.className = 'waymark'
  bar.append(...factsOf(failure, document), ...turnsOf(turn, document))
  root.querySelector('.window')?.prepend(bar)
  const body = root.querySelector('.message-body')
  if (body && isMismatch(failure.message)) body.replaceChildren(...coloured(body, document))
}

function factsOf({ digest }: DevFailure, document: Document): Node[] {
  if (digest === null) return []
  const text = document.createElement('span')
  const value = document.createElement('b')
  value.textContent = digest
  text.append('Digest ', value)
  const link = document.createElement('a')
  link.href = `${journalPath}/${digest}`
  link.target = '_blank'
  link.textContent = 'Open in the journal'
  return [text, link]
}

function turnsOf({ index, count, turnTo }: OverlayPage, document: Document): Node[] {
  if (count < 2) return []
  const turn = (label: string, name: string, to: number) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.ariaLabel = name
    button.disabled = to < 0 || to >= count
    button.onclick = () => turnTo(to)
    return button
  }
  const group = document.createElement('span')
  const back = turn('‹', 'Previous error', index - 1)
  const on = turn('›', 'Next error', index + 1)
  group.append(back, ` ${index + 1} of ${count} `, on)
  return [group]
}

function isMismatch(message: string): boolean {
  return /hydrat/i.test(message) && diffLine.test(message)
}

// React marks what the browser rendered with `+`, what the server sent with `-`.
const diffLine = /^([+-])\s{2,}/m
const linesAround = 5

/** Shows the difference first, with the elements around it, then React's text about it. */
function coloured(body: Element, document: Document): Node[] {
  const lines = (body.textContent ?? '').split('\n')
  const first = lines.findIndex((line) => diffLine.test(line))
  const last = lines.findLastIndex((line) => diffLine.test(line))
  const tree = lines.findIndex((line) => /^\s{2,}\.\.\.|^\s+</.test(line))
  const difference = lines.slice(Math.max(tree, first - linesAround), last + linesAround)
  return [
    textOf('The browser rendered something different from the server:\n\n', '', document),
    ...difference.map((line) => textOf(`${line}\n`, markOf(line), document)),
    textOf('\n- server, ', 'waymark-server', document),
    textOf('+ browser\n\n', 'waymark-client', document),
    textOf(lines.slice(0, tree).join('\n'), 'waymark-diff', document),
  ]
}

function markOf(line: string): string {
  const mark = diffLine.exec(line)?.[1]
  if (mark === undefined) return 'waymark-diff'
  return mark === '+' ? 'waymark-client' : 'waymark-server'
}

function textOf(text: string, className: string, document: Document): Node {
  const part = document.createElement('span')
  part.className = className
  part.textContent = text
  return part
}
