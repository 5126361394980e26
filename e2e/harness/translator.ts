import type { Page } from 'playwright-core'

/** How a translation tool replaces a text in the page. All kinds insert `<font><font>`. */
export type TranslatorKind = 'replace' | 'insert-remove' | 'wrap'

/**
 * Translates the page as browsers and extensions do: each text is removed, and its translation is
 * inserted in nested `<font>` elements. The translation is the original text in `«»`, so that a
 * test can read it back. Texts that appear later are translated with a short delay.
 */
export async function translate(page: Page, kind: TranslatorKind): Promise<void> {
  await page.evaluate(startTranslator, kind)
}

/** Returns the text that a person sees, without the `«»` of the translation. */
export async function seenText(page: Page): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: leaves out hidden pages
  const text = await page.evaluate(() => document.body.innerText)
  return text.replace(/[«»]/g, '').replace(/\s+/g, ' ').trim()
}

/** Runs in the page. */
function startTranslator(kind: TranslatorKind): void {
  const skipped = 'script, style, textarea, noscript, font'
  const translateText = (text: Text) => {
    const { parentNode, nodeValue, parentElement } = text
    if (!parentNode || !nodeValue?.trim() || parentElement?.closest(skipped)) return
    if (/^«/.test(nodeValue)) return
    if (parentNode.nodeName === 'TITLE') {
      parentNode.textContent = `«${nodeValue}»`
      return
    }
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    outer.append(inner)
    if (kind === 'wrap') {
      text.before(outer)
      inner.append(text)
      return
    }
    inner.append(`«${nodeValue}»`)
    if (kind === 'replace') text.replaceWith(outer)
    else {
      text.before(outer)
      text.remove()
    }
  }
  const translateBelow = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = root instanceof Text ? [root] : []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    texts.forEach(translateText)
  }
  new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes])
    setTimeout(() => added.filter((node) => node.isConnected).forEach(translateBelow), 30)
  }).observe(document, { childList: true, subtree: true })
  translateBelow(document)
}
