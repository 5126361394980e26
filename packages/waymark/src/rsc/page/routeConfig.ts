import { shorterLife } from '../../cache/cacheLife.ts'
import { isClientReference } from '../../react/marks.ts'
import { imageFileOf } from '../../routing/imageFile.ts'
import { frameworkError } from '../../shared/errors.ts'
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

const secondsRule = 'it is a number of seconds, 0 or more, or false'

const clientRule =
  "'use client' makes it a client file, whose options the server can't read. Move it to a server file: the layout, or a page that renders this component"

/** An option of another router: it would be ignored. */
const foreignOption = (rule: string, allowed?: string) => ({
  isValid: (value: unknown) => allowed !== undefined && value === allowed,
  rule: `${rule}. Remove it`,
})

/** The exports of route files that are options, with what they may be. */
const segmentOptions: Readonly<Record<string, { isValid(value: unknown): boolean; rule: string }>> =
  {
    dynamic: {
      isValid: (value) => modes.some((mode) => mode === value),
      rule: `it is ${modes.map((mode) => `'${mode}'`).join(', ')}`,
    },
    revalidate: { isValid: isSecondsOption, rule: secondsRule },
    expire: { isValid: isSecondsOption, rule: secondsRule },
    dynamicParams: {
      isValid: (value) => typeof value === 'boolean',
      rule: 'it is true or false',
    },
    statusDeadlineMs: {
      isValid: (value) => typeof value === 'number' && value >= 0,
      rule: 'it is a number of milliseconds, 0 or more',
    },
    runtime: foreignOption(
      'all routes run where the app runs: in Node, or as waymark build --target says',
      'nodejs',
    ),
    preferredRegion: foreignOption('an app answers from where it is deployed'),
    maxDuration: foreignOption(
      'no route has a time of its own; statusDeadlineMs limits the wait for a status',
    ),
    fetchCache: foreignOption("fetch() caches nothing by itself; 'use cache' does"),
  }

/**
 * Checks the options that a route file exports: one that is not understood would be ignored.
 * @throws `SEGMENT_OPTION`
 */
export function checkSegmentOptions({ file, module }: ConfiguredFile): void {
  for (const [name, { isValid, rule }] of Object.entries(segmentOptions)) {
    const value = module[name]
    if (value === undefined || isValid(value)) continue
    const given = isClientReference(value)
      ? { value: '…', rule: clientRule }
      : { value: typeof value === 'string' ? `'${value}'` : String(value), rule }
    throw frameworkError('SEGMENT_OPTION', { file: `app/${file}`, name, ...given })
  }
}

// A route handler, and the metadata files that are made into one.
const handlerFile = /(?:^|\/)(?:route|sitemap|robots|manifest)\.\w+$/

/**
 * Checks that a route file has a component to render.
 * @throws `NO_DEFAULT_EXPORT`
 */
export function checkDefaultExport({ file, module }: ConfiguredFile): void {
  const { default: component } = module
  // What `memo` and `lazy` return are objects.
  const isComponent = typeof component === 'function' || Object(component) === component
  if (handlerFile.test(file) || imageFileOf(file) || isComponent) return
  throw frameworkError('NO_DEFAULT_EXPORT', { file: `app/${file}`, found: String(component) })
}

function isSecondsOption(value: unknown): boolean {
  return value === false || secondsOf(value) !== null
}

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
