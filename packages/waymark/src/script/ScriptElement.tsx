import type { ReactNode } from 'react'
import loader from './scriptLoader.js?url&no-inline'
import type { ScriptOrder } from './scriptOrder.ts'

/** A third-party script, such as analytics, chat or a payment form. Pass its URL or its text. */
export type ScriptProps = ScriptSettings &
  (
    | {
        /** Absolute URL, or a path on the site. */
        readonly src: string
        readonly text?: never
      }
    | {
        /**
         * JavaScript, such as a provider's snippet. It gets the document's nonce, so that the
         * content security policy allows it.
         */
        readonly text: string
        readonly src?: never
      }
  )

type ScriptSettings = {
  /**
   * When to load the script:
   *
   * - `head`: as soon as the loader has loaded
   * - `start`: when the document has been parsed
   * - `idle` (the default): when the browser is idle
   * - `visible`: when the element after the script comes near the viewport
   * - `interaction`: on the first click, key press or touch
   */
  readonly when?: ScriptOrder['when']
  /**
   * Runs the script each time the component appears. By default, a script runs once per tab. Its
   * `id`, URL or text identifies it.
   */
  readonly each?: boolean
  /** Waits until the user has consented to this name, through `consent()`. */
  readonly consent?: string
  readonly integrity?: string
  /** Loads the script as a module. */
  readonly module?: boolean
  /** Attributes for the script element: `{ 'data-domain': 'example.com' }`. */
  readonly attributes?: Readonly<Record<string, string>>
}

/**
 * Loads a script without delaying the page. It also works on pages without React, and anywhere in
 * the tree, even next to `<body>`. A script that fails, or hasn't loaded after 15 seconds, is
 * reported to the journal.
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
      {/* React moves this <meta> into the head, which never contains HTML written by users. */}
      <meta name="waymark-script" content={json} />
      {hasPlace && <template data-waymark-script={json} />}
    </>
  )
}
