import type { RouteAssets } from '../../builds/buildManifest.ts'
import { frameworkError } from '../../shared/errors.ts'
import { variantBuildId } from '../../wire/variantBuildId.ts'
import type { PageApp } from './pageRequest.ts'
import { createRouteModules, type RouteModuleSources } from './routeModules.ts'

/** A page, as the function that chooses its variant gets it. */
export type VariantPage = {
  /** Pathname without `basePath`, after a rewrite by proxy.ts. */
  readonly pathname: string
  /** Params of the page's route. Empty for a URL without a route. */
  readonly params: Readonly<Record<string, string | readonly string[] | undefined>>
}

/**
 * Returns the id of the variant whose code a page loads. A page is cached and prerendered by its
 * pathname, so the result may depend on nothing else.
 */
export type ChooseVariant = (page: VariantPage) => string

/** The parts of an app that differ between variants. */
type VariantParts = Pick<PageApp, 'variant' | 'buildId' | 'modules'>

export type AppVariants = {
  /** @throws `UNKNOWN_VARIANT` */
  readonly partsOf: (page: VariantPage) => VariantParts
}

type VariantSources = {
  readonly choose: ChooseVariant
  readonly buildId: string
  readonly variants: Readonly<Record<string, RouteAssets>>
  readonly modules: RouteModuleSources
}

export function createAppVariants(sources: VariantSources): AppVariants {
  const { choose, buildId, variants, modules } = sources
  const parts = new Map(
    Object.entries(variants).map(([variant, assets]): [string, VariantParts] => [
      variant,
      {
        variant,
        buildId: variantBuildId(buildId, variant),
        modules: createRouteModules({ ...modules, ...assets }),
      },
    ]),
  )
  return {
    partsOf(page) {
      const id = choose(page)
      const found = parts.get(id)
      if (found) return found
      const { pathname } = page
      throw frameworkError('UNKNOWN_VARIANT', { id: String(id), pathname, ids: [...parts.keys()] })
    },
  }
}

/** Returns the app with the code of a page's variant. */
export function withVariant<App extends VariantParts & { readonly variants: AppVariants | null }>(
  app: App,
  page: VariantPage,
): App {
  return app.variants ? { ...app, ...app.variants.partsOf(page) } : app
}
