import path from 'node:path'
import { normalizePath } from 'vite'
import { type GivenLifetime, type Lifetime, readLifetime } from '../../cache/cacheLife.ts'
import { buildLayout } from '../../shared/buildManifest.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { SecurityConfig } from '../../shared/security.ts'
import {
  type ActionSettings,
  defaultNavigation,
  defaultPrefetch,
  type NavigationSettings,
  type PrefetchLimits,
  resolveActionSettings,
} from '../../shared/settings.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { resolveThemeOptions, type ThemeOptions } from '../../theme/themeOptions.ts'
import { hasIntegrity, resolveSecurity, type SecurityOptions } from './securityOptions.ts'

/** Options of the `waymark()` plugin. */
export type WaymarkOptions = {
  /** Folder of the routes, from the project's root; default `app`. */
  readonly appDir?: string
  /** How `.mdx` files are compiled. */
  readonly mdx?: MdxOptions
  /** Light, dark and other themes: where they are kept, and what marks them. */
  readonly theme?: ThemeOptions
  /**
   * How long the head of a document waits for layouts, page and metadata, which decide about its
   * status; default 100. A route says otherwise with `export const statusDeadlineMs`.
   */
  readonly statusDeadlineMs?: number
  /**
   * How long what reads nothing but the first answer is waited for to be whole: pages for crawlers
   * and link previews, and pages whose status came too late, asked for again. After that it gets
   * the status that is known by then. Default 30 s.
   */
  readonly settleDeadlineMs?: number
  /** When a navigation is late, and how long pages that were left are kept. */
  readonly navigation?: Partial<NavigationSettings>
  /** How much is fetched ahead. */
  readonly prefetch?: Partial<PrefetchLimits>
  /**
   * Lifetimes for `cacheLife()`, by name, in seconds; one with the name of a built-in one takes
   * its place.
   */
  readonly cacheLife?: Readonly<Record<string, GivenLifetime>>
  /** Content-Security-Policy, and headers that every answer has. */
  readonly security?: SecurityOptions
  /**
   * Of how many builds the assets are kept, the new one included, for pages that were opened
   * before a deploy; default 3.
   */
  readonly keepBuilds?: number
  /** Limits of server actions, and who may call them. */
  readonly actions?: Partial<ActionSettings>
}

/** How `.mdx` files are compiled. @see https://mdxjs.com/packages/mdx/#processoroptions */
export type MdxOptions = {
  readonly remarkPlugins?: readonly unknown[]
  readonly rehypePlugins?: readonly unknown[]
  readonly recmaPlugins?: readonly unknown[]
}

/** The options as the rest of the build sees them: complete and absolute. */
export type ResolvedOptions = {
  readonly root: string
  /** With forward slashes. */
  readonly appDir: string
  /** Folder that the build writes and `start` serves. */
  readonly buildDir: string
  readonly mdx: MdxOptions
  readonly theme: ThemeConfig
  readonly statusDeadlineMs: number
  readonly settleDeadlineMs: number
  readonly navigation: NavigationSettings
  readonly prefetch: PrefetchLimits
  readonly cacheLife: Readonly<Record<string, Lifetime>>
  readonly security: SecurityConfig
  /** Whether browsers check the build's files by their hashes. */
  readonly hasIntegrity: boolean
  readonly keepBuilds: number
  readonly actions: ActionSettings
  /** Names of the server's variables whose values anybody may know. */
  readonly publicEnv: readonly string[]
}

/**
 * Completes the options.
 * @param root the project's root, absolute
 * @throws `THEME_OPTION`, `DEADLINE_OPTION`, `CACHE_LIFETIME`, `NUMBER_OPTION`,
 *   `SECURITY_OPTION`, `KEEP_BUILDS_OPTION`, `ACTION_OPTION`
 */
export function resolveOptions(root: string, options: WaymarkOptions): ResolvedOptions {
  return Object.freeze({
    root,
    appDir: normalizePath(path.resolve(root, options.appDir ?? 'app')),
    buildDir: path.join(root, buildLayout.folder),
    mdx: options.mdx ?? {},
    theme: resolveThemeOptions(options.theme),
    statusDeadlineMs: resolveDeadline(options, 'statusDeadlineMs'),
    settleDeadlineMs: resolveDeadline(options, 'settleDeadlineMs'),
    cacheLife: resolveLifetimes(options.cacheLife ?? {}),
    navigation: resolveNumbers('navigation', defaultNavigation, options.navigation),
    prefetch: resolveNumbers('prefetch', defaultPrefetch, options.prefetch),
    security: resolveSecurity(options.security),
    hasIntegrity: hasIntegrity(options.security ?? {}),
    keepBuilds: resolveKeepBuilds(options.keepBuilds),
    actions: resolveActionSettings(options.actions),
    publicEnv: options.security?.publicEnv ?? [],
  })
}

function resolveLifetimes(given: Readonly<Record<string, GivenLifetime>>) {
  return Object.fromEntries(
    Object.entries(given).map(([name, lifetime]) => [name, readLifetime(lifetime)]),
  )
}

function resolveNumbers<Numbers extends Readonly<Record<string, number>>>(
  option: string,
  defaults: Numbers,
  given: Partial<Numbers> = {},
): Numbers {
  for (const [name, value] of Object.entries(given)) {
    const reason = !Object.hasOwn(defaults, name)
      ? `there is no such option, only ${Object.keys(defaults).join(', ')}`
      : value === undefined || isCount(value)
        ? null
        : 'it is a whole number, 0 or more, and below 2 ** 31'
    if (reason)
      throw frameworkError('NUMBER_OPTION', { option, name, value: String(value), reason })
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(set) }
}

// Timers of browsers take no more.
function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
}

const usualDeadlines = { statusDeadlineMs: 100, settleDeadlineMs: 30_000 }

function resolveDeadline(options: WaymarkOptions, option: keyof typeof usualDeadlines): number {
  const { [option]: ms = usualDeadlines[option] } = options
  // JSON, which it is handed on as, knows no infinity.
  if (typeof ms === 'number' && Number.isFinite(ms) && ms >= 0) return ms
  const usual = usualDeadlines[option]
  throw frameworkError('DEADLINE_OPTION', { option, value: String(ms), usual })
}

function resolveKeepBuilds(count = 3): number {
  if (Number.isInteger(count) && count >= 1) return count
  throw frameworkError('KEEP_BUILDS_OPTION', { value: String(count) })
}
