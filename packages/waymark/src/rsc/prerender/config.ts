import type { RouteModule } from '../page/routeModules.ts'

/** What the files of a route say about when it is rendered, layouts and page taken together. */
export type RenderingConfig = {
  readonly dynamic: DynamicMode
  /** The file that said so; `null` for the default. */
  readonly dynamicFrom: string | null
  /** Seconds after which a prerendered page is to be rendered again; `null` for never. */
  readonly revalidateSeconds: number | null
  /** Whether URLs answer whose params `generateStaticParams` did not list. */
  readonly dynamicParams: boolean
}

/** Values of `export const dynamic`. */
export type DynamicMode = 'auto' | 'force-dynamic' | 'force-static' | 'error'

/** A file of a route with what it exports. */
export type ConfiguredFile = { readonly file: string; readonly module: RouteModule }

const modes: readonly string[] = ['auto', 'force-dynamic', 'force-static', 'error']

/**
 * Reads the configuration of a route: the innermost file decides about `dynamic`, the shortest
 * time wins for `revalidate`, and any file can close the list of params.
 * @param files from the root layout down to the page
 */
export function readRenderingConfig(files: readonly ConfiguredFile[]): RenderingConfig {
  let dynamic: DynamicMode = 'auto'
  let dynamicFrom: string | null = null
  let revalidateSeconds: number | null = null
  let dynamicParams = true
  for (const { file, module } of files) {
    if (isMode(module.dynamic)) {
      dynamic = module.dynamic
      dynamicFrom = file
    }
    const { revalidate } = module
    if (typeof revalidate === 'number' && revalidate >= 0 && Number.isFinite(revalidate)) {
      revalidateSeconds = Math.min(revalidateSeconds ?? revalidate, revalidate)
    }
    if (module.dynamicParams === false) dynamicParams = false
  }
  return { dynamic, dynamicFrom, revalidateSeconds, dynamicParams }
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

function isMode(value: unknown): value is DynamicMode {
  return typeof value === 'string' && modes.includes(value)
}
