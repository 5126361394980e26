'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'waymark/client'

const selector = 'title, meta[name=description], meta[property], link[rel=canonical]'

/** Shows the title and the metadata tags of the document's head. */
export function HeadNow(): ReactNode {
  const search = useSearchParams()
  const [tags, setTags] = useState<readonly string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query brings new tags
  useEffect(() => {
    setTags([...document.head.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML))
  }, [search])
  return <pre className="console">{tags.join('\n')}</pre>
}
