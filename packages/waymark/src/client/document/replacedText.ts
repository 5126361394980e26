/** Text that a translator or an extension has taken out of the document. */
export type ReplacedText = {
  /**
   * Puts the texts back, so that React finds its own.
   * @returns shows again what stood in their places, where nothing has changed meanwhile
   */
  readonly restore: () => Promise<() => void>
}

/**
 * Translators put an element in the place of a text. React still knows the text only: what it writes there is seen
 * by nobody, and to remove it throws. The code that mends both is loaded once a text was replaced.
 * @see https://github.com/facebook/react/issues/11538
 */
export function watchReplacedText(document: Document): ReplacedText {
  let code: Promise<typeof import('./restoreText.ts')> | undefined
  const read = (records: MutationRecord[]) => {
    if (!code && !records.some(takesTextAway)) return
    code ??= import('./restoreText.ts')
    code.then(
      ({ readReplacements }) => readReplacements(records, observer),
      // Offline: the page stays as it is without this code.
      () => {},
    )
  }
  const observer = new MutationObserver(read)
  observer.observe(document, { childList: true, subtree: true })
  return {
    async restore() {
      read(observer.takeRecords())
      return (await code?.catch(() => null))?.restoreAll() ?? (() => {})
    },
  }
}

/** React removes a text in a change of its own; only others replace it, or leave a `<font>` beside it. */
function takesTextAway({ removedNodes, addedNodes, previousSibling }: MutationRecord): boolean {
  return (
    removedNodes[0]?.nodeType === 3 &&
    (addedNodes.length > 0 || previousSibling?.nodeName === 'FONT')
  )
}
