'use client'

import { createContext, type ReactNode, useContext } from 'react'

/** Registers a callback whose HTML is inserted at each flush of the document. */
export type InsertHtml = (callback: () => ReactNode) => void

/**
 * Provides the function that `useServerInsertedHTML` calls, for CSS-in-JS libraries that read the context
 * themselves. Its value is `null` in browsers.
 */
export const ServerInsertedHTMLContext = createContext<InsertHtml | null>(null)

/**
 * Inserts HTML into a document while the server renders it, for CSS-in-JS libraries. The callback is
 * called for each part of the document: its HTML comes first at the end of the head, then in front of
 * each later part. Does nothing in browsers.
 */
export function useServerInsertedHTML(callback: () => ReactNode): void {
  useContext(ServerInsertedHTMLContext)?.(callback)
}
