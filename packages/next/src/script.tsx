import type { ReactNode, ScriptHTMLAttributes } from 'react'
import { Script as WaymarkScript } from 'waymark/script'
import { ScriptEvents } from './scriptEvents.tsx'

type Strategy = 'beforeInteractive' | 'afterInteractive' | 'lazyOnload' | 'worker'

/** Attributes of a script, and options that control when the script is loaded. */
export type ScriptProps = Omit<ScriptHTMLAttributes<HTMLScriptElement>, 'onLoad' | 'onError'> & {
  /** When to load the script. Default: `afterInteractive`. `worker` is the same as `lazyOnload`. */
  readonly strategy?: Strategy | undefined
  readonly id?: string | undefined
  /** Called once, after the script has run. Only works in client components. */
  readonly onLoad?: ((event?: unknown) => void) | undefined
  /** Called after the script has run, and each time the component is mounted again. */
  readonly onReady?: (() => void) | undefined
  readonly onError?: ((event?: unknown) => void) | undefined
}

const whens = {
  beforeInteractive: 'head',
  afterInteractive: 'start',
  lazyOnload: 'idle',
  worker: 'idle',
} as const satisfies Record<Strategy, string>

/** Renders a third-party script, or inline code if `src` isn't set. */
export default function Script(props: ScriptProps): ReactNode {
  const { src, strategy = 'afterInteractive', type, integrity, children, ...rest } = props
  const { onLoad, onReady, onError, dangerouslySetInnerHTML, ...others } = rest
  const text = String(dangerouslySetInnerHTML?.__html ?? children ?? '')
  // Inline code must run before the rest of the page is shown, so render it as a plain script.
  if (!src && strategy === 'beforeInteractive') {
    const inner = { dangerouslySetInnerHTML: { __html: text } }
    return <script {...others} type={type} {...inner} />
  }
  const attributes = Object.fromEntries(
    Object.entries(others).flatMap(([name, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number' && value !== true) return []
      return [[domNames[name] ?? name, value === true ? '' : String(value)]]
    }),
  )
  const isModule = type === 'module'
  if (type && !isModule) attributes.type = type
  const scriptProps = { when: whens[strategy], attributes, module: isModule }
  const hears = onLoad ?? onReady ?? onError
  return (
    <>
      <WaymarkScript
        {...scriptProps}
        {...(integrity ? { integrity } : {})}
        {...(src ? { src } : { text })}
      />
      {hears && <ScriptEvents name={others.id ?? src ?? text} {...{ onLoad, onReady, onError }} />}
    </>
  )
}

const domNames: Readonly<Record<string, string>> = {
  crossOrigin: 'crossorigin',
  referrerPolicy: 'referrerpolicy',
  fetchPriority: 'fetchpriority',
  className: 'class',
}
