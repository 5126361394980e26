'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'waymark/client'

const selector = 'title, meta[name=description], meta[property], link[rel=canonical]'

/** The tags of the document's head that say what it is about. */
export function HeadNow(): ReactNode {
  const search = useSearchParams()
  const [tags, setTags] = useState<readonly string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query brings new tags
  useEffect(() => {
    setTags([...document.head.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML))
  }, [search])
  return <pre className="console">{tags.join('\n')}</pre>
}
