import type { ReactElement } from 'react'
import { jsx } from 'react/jsx-runtime'
import type { Many } from '../../shared/metadataValues.ts'
import { isLinkable } from './values.ts'

type Content = string | number | boolean | URL | null | undefined

/** One tag per item; items without content are left out. */
export type TagContent = Many<Content>

export type TagList = ReturnType<typeof createTagList>

/**
 * Keys are names, so that React updates a tag in place at a navigation; a repeated name gets a
 * number.
 */
export function createTagList() {
  const elements: ReactElement[] = []
  const counts = new Map<string, number>()

  function add(name: string, type: 'meta' | 'link' | 'title', props: object): void {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    const key = count === 0 ? name : `${name} ${count}`
    elements.push(jsx(type, props, key))
  }
  const meta = (attribute: 'name' | 'property') => (name: string, content: TagContent) => {
    for (const value of listOf(content)) {
      if (hasContent(value)) add(name, 'meta', { [attribute]: name, content: String(value) })
    }
  }
  return {
    elements,
    add,
    name: meta('name'),
    /** Open Graph requires `property`. */
    property: meta('property'),
    /** Drops script URLs, and attributes without a value. */
    link(rel: string, hrefs: TagContent, attributes: Readonly<Record<string, Content>> = {}): void {
      const present = Object.entries(attributes).filter(([, value]) => hasContent(value))
      for (const value of listOf(hrefs)) {
        const href = String(value)
        if (!hasContent(value) || !isLinkable(href)) continue
        add(rel, 'link', { rel, href, ...Object.fromEntries(present) })
      }
    },
  }
}

function hasContent(content: Content): boolean {
  return content !== null && content !== undefined && content !== ''
}

export function listOf<T>(value: Many<T>): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}
