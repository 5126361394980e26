import path from 'node:path'
import { normalizePath } from 'vite'
import { buildLayout } from '../shared/build.ts'
import { frameworkError } from '../shared/errors.ts'
import type { ThemeConfig } from '../theme/config.ts'
import { resolveThemeOptions, type ThemeOptions } from '../theme/options.ts'

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
}

/**
 * Completes the options.
 * @param root the project's root, absolute
 * @throws `THEME_OPTION`, `DEADLINE_OPTION`
 */
export function resolveOptions(root: string, options: WaymarkOptions): ResolvedOptions {
  return Object.freeze({
    root,
    appDir: normalizePath(path.resolve(root, options.appDir ?? 'app')),
    buildDir: path.join(root, buildLayout.folder),
    mdx: options.mdx ?? {},
    theme: resolveThemeOptions(options.theme),
    statusDeadlineMs: resolveDeadline(options.statusDeadlineMs),
  })
}

function resolveDeadline(ms = 100): number {
  // JSON, which it is handed on as, knows no infinity.
  if (typeof ms === 'number' && Number.isFinite(ms) && ms >= 0) return ms
  throw frameworkError('DEADLINE_OPTION', { value: String(ms) })
}
