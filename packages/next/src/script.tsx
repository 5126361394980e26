import type { ReactNode, ScriptHTMLAttributes } from 'react'
import { Script as WaymarkScript } from 'waymark/script'

type Strategy = 'beforeInteractive' | 'afterInteractive' | 'lazyOnload' | 'worker'

/** Attributes of a script, and when it is loaded. */
export type ScriptProps = ScriptHTMLAttributes<HTMLScriptElement> & {
  /** Default: `afterInteractive`. `worker` is the same as `lazyOnload`. */
  readonly strategy?: Strategy | undefined
  readonly id?: string | undefined
}

const whens = {
  beforeInteractive: 'head',
  afterInteractive: 'start',
  lazyOnload: 'idle',
  worker: 'idle',
} as const satisfies Record<Strategy, string>

/** A script of somebody else, or, without `src`, a text that runs. */
export default function Script(props: ScriptProps): ReactNode {
  const { src, strategy = 'afterInteractive', type, integrity, children, ...others } = props
  if (!src)
    return (
      <script {...others} type={type}>
        {children}
      </script>
    )
  const attributes = Object.fromEntries(
    Object.entries(others).flatMap(([name, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number' && value !== true) return []
      return [[domNames[name] ?? name, value === true ? '' : String(value)]]
    }),
  )
  const given = { src, when: whens[strategy], attributes, module: type === 'module' }
  return <WaymarkScript {...given} {...(integrity ? { integrity } : {})} />
}

const domNames: Readonly<Record<string, string>> = {
  crossOrigin: 'crossorigin',
  referrerPolicy: 'referrerpolicy',
  fetchPriority: 'fetchpriority',
  className: 'class',
}
