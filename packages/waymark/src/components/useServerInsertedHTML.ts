'use client'

import { createContext, type ReactNode, useContext } from 'react'

/** Registers a callback whose HTML is inserted each time a part of the document is sent. */
export type InsertHtml = (callback: () => ReactNode) => void

/**
 * Provides the function that `useServerInsertedHTML` calls, for CSS-in-JS libraries that read the
 * context themselves. The value is `null` in browsers.
 */
export const ServerInsertedHTMLContext = createContext<InsertHtml | null>(null)

/**
 * Inserts HTML into a document while the server renders it, for CSS-in-JS libraries. The callback
 * runs for each part of the document. Its first HTML is inserted at the end of the head, and later
 * HTML before the part for which it was returned. Does nothing in browsers.
 */
export function useServerInsertedHTML(callback: () => ReactNode): void {
  useContext(ServerInsertedHTMLContext)?.(callback)
}
