import type { ReactNode } from 'react'
import loader from './scriptLoader.js?url&no-inline'
import type { ScriptOrder } from './scriptOrder.ts'

/** A script of somebody else: analytics, chat, a payment form. */
export type ScriptProps = {
  /** URL, absolute or of the site. */
  readonly src: string
  /**
   * When it is loaded: `head` as soon as the loader is there, `start` once the document is there,
   * `idle` when the browser has time, `visible` when the place where it stands comes near the
   * view, `interaction` at the first click, key or touch. Default: `idle`.
   */
  readonly when?: ScriptOrder['when']
  /** Runs it again each time that it appears on the screen. Default: once in the life of the tab. */
  readonly each?: boolean
  /** Waits until the person has agreed to this, by `consent()`. */
  readonly consent?: string
  readonly integrity?: string
  /** Runs it as a module. */
  readonly module?: boolean
  /** Attributes for the script: `{ 'data-domain': 'example.com' }`. */
  readonly attributes?: Readonly<Record<string, string>>
}

/**
 * Loads a script without letting anything wait for it. The server writes where it stands; one
 * loader, a file of its own, does the rest, on pages without React, too. A script that fails, or
 * does not arrive within 15 s, is reported to the journal.
 */
export function Script({ src, when = 'idle', ...rest }: ScriptProps): ReactNode {
  const { each = false, consent = null, integrity = null, module = false, attributes = {} } = rest
  const order: ScriptOrder = { src, when, each, consent, integrity, module, attributes }
  return (
    <>
      <script async type="module" src={loader} />
      <template data-waymark-script={JSON.stringify(order)} />
    </>
  )
}
