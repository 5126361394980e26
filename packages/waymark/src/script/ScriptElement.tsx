import type { ReactNode } from 'react'
import loader from './scriptLoader.js?url&no-inline'
import type { ScriptOrder } from './scriptOrder.ts'

/** A script of somebody else: analytics, chat, a payment form. By its URL, or as a text. */
export type ScriptProps = ScriptSettings &
  (
    | {
        /** URL, absolute or of the site. */
        readonly src: string
        readonly text?: never
      }
    | {
        /** JavaScript, such as a provider's snippet. A policy lets it run by the document's nonce. */
        readonly text: string
        readonly src?: never
      }
  )

type ScriptSettings = {
  /**
   * When it is loaded: `head` as soon as the loader is there, `start` once the document is there,
   * `idle` when the browser has time, `visible` when the place where it stands comes near the
   * view, `interaction` at the first click, key or touch. Default: `idle`.
   */
  readonly when?: ScriptOrder['when']
  /** Runs it again each time that it appears. Default: once in a tab, by its `id`, URL or text. */
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
 * Loads a script without letting anything wait for it, on pages without React, too. It may stand
 * anywhere, beside `<body>`, too. A script that fails, or takes 15 s, is reported to the journal.
 */
export function Script({ src, text, when = 'idle', ...rest }: ScriptProps): ReactNode {
  const { each = false, consent = null, integrity = null, module = false, attributes = {} } = rest
  const order: ScriptOrder = {
    src: src ?? null,
    text: text ?? null,
    when,
    each,
    consent,
    integrity,
    module,
    attributes,
  }
  const json = JSON.stringify(order)
  const hasPlace = each || when === 'visible'
  return (
    <>
      <script async type="module" src={loader} />
      {/* React moves it into the head, where nothing stands that a person wrote. */}
      <meta name="waymark-script" content={json} />
      {hasPlace && <template data-waymark-script={json} />}
    </>
  )
}
