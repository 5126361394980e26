import { shorterLife } from '../../cache/cacheLife.ts'
import type { RouteModule } from './routeModules.ts'

/** What the files of a route say about when it is rendered, layouts and page taken together. */
export type RenderingConfig = {
  readonly dynamic: DynamicMode
  /** The file that said so; `null` for the default. */
  readonly dynamicFrom: string | null
  /** Seconds after which a prerendered page is to be rendered again; `null` for never. */
  readonly revalidateSeconds: number | null
  /** Seconds after which it is not shown any more, should rendering it again fail. */
  readonly expireSeconds: number | null
  /** Whether URLs answer whose params `generateStaticParams` did not list. */
  readonly dynamicParams: boolean
}

/** Values of `export const dynamic`. */
const modes = ['auto', 'force-dynamic', 'force-static', 'partial', 'error'] as const

type DynamicMode = (typeof modes)[number]

/** A file of a route with what it exports. */
export type ConfiguredFile = { readonly file: string; readonly module: RouteModule }

/**
 * Reads the configuration of a route: the innermost file decides about `dynamic`, the shortest
 * time wins for `revalidate` and `expire`, and any file can close the list of params.
 * @param files from the root layout down to the page
 */
export function readRenderingConfig(files: readonly ConfiguredFile[]): RenderingConfig {
  let dynamic: DynamicMode = 'auto'
  let dynamicFrom: string | null = null
  let revalidateSeconds: number | null = null
  let expireSeconds: number | null = null
  let dynamicParams = true
  for (const { file, module } of files) {
    const mode = modes.find((known) => known === module.dynamic)
    if (mode) {
      dynamic = mode
      dynamicFrom = file
    }
    revalidateSeconds = shorterLife(revalidateSeconds, secondsOf(module.revalidate))
    expireSeconds = shorterLife(expireSeconds, secondsOf(module.expire))
    if (module.dynamicParams === false) dynamicParams = false
  }
  return { dynamic, dynamicFrom, revalidateSeconds, expireSeconds, dynamicParams }
}

/**
 * Tells why a configuration wants a route rendered for each request.
 * @returns `null` when it does not
 */
export function dynamicReasonOf(config: RenderingConfig): string | null {
  const { dynamic, dynamicFrom, revalidateSeconds } = config
  if (dynamic === 'force-dynamic') return `force-dynamic in ${dynamicFrom}`
  return revalidateSeconds === 0 && dynamic !== 'force-static' ? 'revalidate = 0' : null
}

function secondsOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : null
}
