import type { Plugin } from 'vite'
import type { ResolvedOptions } from './options.ts'

/** Serves the module that tells the `rsc` environment of the options that count while it runs. */
export function configPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:config',
    resolveId: {
      filter: { id: /^virtual:waymark\/config$/ },
      handler: (source) => `\0${source}`,
    },
    load: {
      filter: { id: /^\0virtual:waymark\/config$/ },
      handler: () => `export const theme = ${JSON.stringify(options().theme)}\n`,
    },
  }
}
