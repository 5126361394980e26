import type { Plugin } from 'vite'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import type { ClientVariant } from '../config/variantOptions.ts'
import { serveVirtual } from '../config/virtualModule.ts'

export type SelectableVariants = {
  readonly plugins: readonly Plugin[]
  /** Selects the variant that the next build of the `client` environment is for. */
  readonly select: (variant: ClientVariant) => void
}

/**
 * Serves the module that chooses a page's variant, and replaces the names that variants define. In
 * the server's code and in development, the names are `undefined`, so that the code falls back to
 * values that it knows at run time.
 */
export function createClientVariants(options: () => ResolvedOptions): SelectableVariants {
  let selected: ClientVariant | null = null
  const names: Plugin = {
    name: 'waymark:variants',
    config(config) {
      const names = options().variants?.builds.flatMap(({ define }) => Object.keys(define)) ?? []
      const unset = names.filter((name) => !Object.hasOwn(config.define ?? {}, name))
      return { define: Object.fromEntries(unset.map((name) => [name, 'undefined'])) }
    },
    ...serveVirtual('virtual:waymark/variants$', () => {
      const { variants } = options()
      if (!variants) return 'export const chooseVariant = null\n'
      const { file, name } = variants.choose
      return `export { ${name} as chooseVariant } from ${JSON.stringify(file)}\n`
    }),
  }
  const values: Plugin = {
    name: 'waymark:variant-values',
    apply: 'build',
    // Vite's own plugin sets `transform.define`, too, and must not overwrite the variant's values.
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    options(rolldown) {
      if (!selected) return
      rolldown.transform ??= {}
      rolldown.transform.define = { ...rolldown.transform.define, ...expressions(selected) }
    },
    augmentChunkHash({ dynamicImports }) {
      // Vite and `chunkRetries.ts` rewrite the imports of a chunk after it has its name, and what
      // they write depends on the other chunks. So variants can't share a chunk with such imports.
      return selected && dynamicImports.length > 0 ? selected.id : ''
    },
  }
  return {
    plugins: [names, values],
    select(variant) {
      selected = variant
    },
  }
}

function expressions({ define }: ClientVariant): Record<string, string> {
  const entries = Object.entries(define)
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'),
    ]),
  )
}
