'use client'

import { createContext, type ReactNode, useContext } from 'react'

/** Registers a callback whose HTML is inserted at each flush of the document that is rendered. */
export type InsertHtml = (callback: () => ReactNode) => void

/**
 * The function that `useServerInsertedHTML` calls, for libraries of styles that read the context
 * themselves; `null` in browsers.
 */
export const ServerInsertedHTMLContext = createContext<InsertHtml | null>(null)

/**
 * Inserts HTML into a document while it is rendered on the server: in front of each part as it is
 * sent, first at the end of the head. For libraries of styles. Does nothing in browsers.
 */
export function useServerInsertedHTML(callback: () => ReactNode): void {
  useContext(ServerInsertedHTMLContext)?.(callback)
}
