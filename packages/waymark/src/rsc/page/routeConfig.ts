import { shorterLife } from '../../cache/cacheLife.ts'
import { isClientReference } from '../../react/clientReference.ts'
import { imageFileOf } from '../../routing/routeFile.ts'
import { frameworkError } from '../../shared/errors.ts'
import { allowedMethods } from '../request/routeHandler.ts'
import type { RouteModule } from './routeModules.ts'

/** A route's rendering options, combined from its layouts and page. */
export type RenderingConfig = {
  readonly dynamic: DynamicMode
  /** The file that exports `dynamic`; `null` for the default. */
  readonly dynamicFrom: string | null
  /** Seconds after which a prerendered page is rendered again; `null` for never. */
  readonly revalidateSeconds: number | null
  /** Seconds after which an old page is no longer sent if rendering it again fails. */
  readonly expireSeconds: number | null
  /** True if params that `generateStaticParams` doesn't return also have pages. */
  readonly dynamicParams: boolean
}

const modes = ['auto', 'force-dynamic', 'force-static', 'partial', 'error'] as const

type DynamicMode = (typeof modes)[number]

export type ConfiguredFile = { readonly file: string; readonly module: RouteModule }

const secondsRule = 'it must be a number of seconds, 0 or more, or false'

const foreignOption = (rule: string, allowed?: string) => ({
  isValid: (value: unknown) => allowed !== undefined && value === allowed,
  rule: `${rule}. Remove it`,
})

const segmentOptions: Readonly<Record<string, { isValid(value: unknown): boolean; rule: string }>> =
  {
    dynamic: {
      isValid: (value) => modes.some((mode) => mode === value),
      rule: `it must be ${modes.map((mode) => `'${mode}'`).join(', ')}`,
    },
    revalidate: { isValid: isSecondsOption, rule: secondsRule },
    expire: { isValid: isSecondsOption, rule: secondsRule },
    dynamicParams: {
      isValid: (value) => typeof value === 'boolean',
      rule: 'it must be true or false',
    },
    statusDeadlineMs: {
      isValid: (value) => typeof value === 'number' && value >= 0,
      rule: 'it must be a number of milliseconds, 0 or more',
    },
    runtime: foreignOption(
      'all routes run on the same host: Node, or the host of waymark({ adapter })',
      'nodejs',
    ),
    preferredRegion: foreignOption('an app runs in the region where you deploy it'),
    maxDuration: foreignOption(
      'no route has a time limit; statusDeadlineMs limits the wait for a status',
    ),
    fetchCache: foreignOption('fetch() caches nothing; use cached() from waymark/server'),
  }

/**
 * Checks a server file's rendering options. `vite/routes/routesPlugin.ts` checks client files.
 * @throws `SEGMENT_OPTION`
 */
export function checkSegmentOptions({ file, module }: ConfiguredFile): void {
  for (const [name, { isValid, rule }] of Object.entries(segmentOptions)) {
    const value = module[name]
    if (value === undefined || isClientReference(value) || isValid(value)) continue
    const exported = typeof value === 'string' ? `'${value}'` : String(value)
    throw frameworkError('SEGMENT_OPTION', { file: `app/${file}`, name, value: exported, rule })
  }
}

// Matches route handlers, and metadata files that become route handlers.
const handlerFile = /(?:^|\/)(?:route|sitemap|robots|manifest)\.\w+$/

/**
 * Checks that a route file has the exports for its name: a component, or a function for a method.
 * @throws `NO_DEFAULT_EXPORT`, `ERROR_FILE_ON_SERVER`, `ROUTE_WITHOUT_METHOD`
 */
export function checkExports({ file, module }: ConfiguredFile): void {
  const { default: component } = module
  const name = `app/${file}`
  if (/(?:^|\/)route\.\w+$/.test(file) && component && allowedMethods(module) === 'OPTIONS') {
    throw frameworkError('ROUTE_WITHOUT_METHOD', { file: name })
  }
  // `memo` and `lazy` return objects.
  const isComponent = typeof component === 'function' || Object(component) === component
  if (handlerFile.test(file) || imageFileOf(file)) return
  if (!isComponent) {
    throw frameworkError('NO_DEFAULT_EXPORT', { file: name, actual: String(component) })
  }
  if (errorFile.test(file) && !isClientReference(component)) {
    throw frameworkError('ERROR_FILE_ON_SERVER', { file: name })
  }
}

const errorFile = /(?:^|\/)(?:global-)?error\.\w+$/

function isSecondsOption(value: unknown): boolean {
  return value === false || secondsOf(value) !== null
}

/**
 * Combines a route's options. For `dynamic`, the innermost file wins. For times, the shortest one
 * wins. Any file can set `dynamicParams` to false.
 * @param files from the root layout down to the page
 */
export function readRenderingConfig(files: readonly ConfiguredFile[]): RenderingConfig {
  let dynamic: DynamicMode = 'auto'
  let dynamicFrom: string | null = null
  let revalidateSeconds: number | null = null
  let expireSeconds: number | null = null
  let dynamicParams = true
  for (const { file, module } of files) {
    const mode = modes.find((each) => each === module.dynamic)
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

/** Returns the reason why a route is rendered for each request, or `null` if the route isn't. */
export function dynamicReasonOf(config: RenderingConfig): string | null {
  const { dynamic, dynamicFrom, revalidateSeconds } = config
  if (dynamic === 'force-dynamic') return `force-dynamic in ${dynamicFrom}`
  return revalidateSeconds === 0 && dynamic !== 'force-static' ? 'revalidate = 0' : null
}

function secondsOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : null
}
