import type { Plugin } from 'vite'
import type { ResolvedOptions } from './options.ts'

/** Serves the modules that tell server and browser of the options that count while they run. */
export function configPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:config',
    resolveId: {
      filter: { id: /^virtual:waymark\/(?:config|navigation)$/ },
      handler: (source) => `\0${source}`,
    },
    load: {
      filter: { id: /^\0virtual:waymark\/(?:config|navigation)$/ },
      handler(id) {
        const { theme, statusDeadlineMs, settleDeadlineMs, cacheLife, security, actions } =
          options()
        const { navigation, prefetch } = options()
        const deadlines = { statusDeadlineMs, settleDeadlineMs }
        return id.endsWith('navigation')
          ? constants({ navigation, prefetch })
          : constants({ theme, ...deadlines, cacheLife, security, actions })
      },
    },
  }
}

function constants(values: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(values)
  return lines.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`).join('')
}
