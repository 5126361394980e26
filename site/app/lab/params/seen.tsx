'use client'

import type { ReactNode } from 'react'
import { useParams, usePathname, useSearchParams, useSelectedLayoutSegments } from 'waymark/client'

/** Shows the values of the hooks for the current page. */
export function Seen(): ReactNode {
  const facts = {
    'useParams()': JSON.stringify(useParams()),
    'useSearchParams()': JSON.stringify([...useSearchParams()]),
    'usePathname()': usePathname(),
    'useSelectedLayoutSegments()': JSON.stringify(useSelectedLayoutSegments()),
  }
  return (
    <dl className="facts">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}
