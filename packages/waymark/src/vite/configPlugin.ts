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
      handler() {
        const { theme, statusDeadlineMs } = options()
        const lines = Object.entries({ theme, statusDeadlineMs })
        return lines
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
          .join('')
      },
    },
  }
}
