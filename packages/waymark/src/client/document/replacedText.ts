/**
 * Translators put an element in the place of a text. React still knows the text only: what it writes there is seen
 * by nobody, and to remove it throws. The code that mends both is loaded once a text was replaced.
 * @see https://github.com/facebook/react/issues/11538
 */
export function watchReplacedText(document: Document): void {
  let code: Promise<typeof import('./restoreText.ts')> | undefined
  const observer = new MutationObserver((records) => {
    if (!code && !records.some(takesTextAway)) return
    code ??= import('./restoreText.ts')
    // Offline: the page stays as it is without this code.
    code.then(
      ({ readReplacements }) => readReplacements(records, observer),
      () => {},
    )
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** React removes a text in a change of its own; only others replace it, or leave a `<font>` beside it. */
function takesTextAway({ removedNodes, addedNodes, previousSibling }: MutationRecord): boolean {
  return removedNodes[0]?.nodeType === 3 && (addedNodes[0] ?? previousSibling)?.nodeName === 'FONT'
}
