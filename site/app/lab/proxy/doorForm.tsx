import type { ReactNode } from 'react'

/** A button to take the key or give it back. */
export function Door({ hasKey }: { hasKey: boolean }): ReactNode {
  return (
    <form method="post" action="/lab/proxy/door">
      <input type="hidden" name="key" value={hasKey ? '' : 'brass'} />
      <button type="submit" className="button">
        {hasKey ? 'Give the key back' : 'Take the key'}
      </button>
    </form>
  )
}
