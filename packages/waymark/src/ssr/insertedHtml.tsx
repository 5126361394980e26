import { cloneElement, Fragment, isValidElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { InsertHtml } from '../components/useServerInsertedHTML.ts'

/** What client components insert into one document. */
export type InsertedHtml = {
  readonly add: InsertHtml
  /** HTML of what is there since the last call. */
  take(): string
}

/**
 * Collects what client components insert into a document.
 * @param nonce of the document: for scripts and styles that have none
 */
export function collectInsertedHtml(
  onError: (thrown: unknown) => unknown,
  nonce: string | undefined,
): InsertedHtml {
  const callbacks: Parameters<InsertHtml>[0][] = []
  const read = (callback: (typeof callbacks)[number]): string => {
    try {
      return renderToStaticMarkup(withNonce(callback(), nonce))
    } catch (thrown) {
      onError(thrown)
      return ''
    }
  }
  return {
    add: (callback) => void callbacks.push(callback),
    take: () => callbacks.map(read).join(''),
  }
}

function withNonce(node: ReactNode, nonce: string | undefined): ReactNode {
  if (nonce === undefined) return node
  if (Array.isArray(node)) return node.map((each: ReactNode) => withNonce(each, nonce))
  if (!isValidElement<{ children?: ReactNode; nonce?: string }>(node)) return node
  const { type, props } = node
  if (type === Fragment) return withNonce(props.children, nonce)
  const isMeant = (type === 'style' || type === 'script') && props.nonce === undefined
  return isMeant ? cloneElement(node, { nonce }) : node
}
