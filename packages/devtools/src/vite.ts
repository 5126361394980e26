import type { Plugin } from 'vite'
import { definePackage } from 'waymark/plugin'
import type { DevtoolsOptions } from './createDevtools.ts'
import type { Docks } from './panelEndpoint.ts'

export type { DevtoolsOptions } from './createDevtools.ts'

/**
 * Returns the Vite plugins of `@waymark/devtools`: the panel in the page, and tools for coding
 * agents. They are only active in the dev server.
 */
export function devtools(options: DevtoolsOptions = {}): Plugin[] {
  const tools = definePackage('@waymark/devtools', ({ command }) => {
    if (command === 'build') return {}
    const module = new URL('./devtoolsPackage.js', import.meta.url)
    const warnings = new URL('./warnings/watchWarnings.js', import.meta.url)
    return {
      devtools: { module, name: 'devtoolsPackage' },
      client: { onBoot: { module: warnings, name: 'watchWarnings' } },
      options,
    }
  })
  return options.panel === false ? [tools] : [tools, dockPlugin()]
}

/** Adds the panel as a dock to Vite DevTools, if the app uses them. */
function dockPlugin(): Plugin & { readonly devtools: object } {
  let basePath = ''
  return {
    name: 'waymark:devtools-dock',
    apply: 'serve',
    configResolved({ base }) {
      basePath = base.replace(/\/$/, '')
    },
    devtools: {
      async setup({ docks }: { readonly docks: Docks }) {
        const { registerDock } = await import('./panelEndpoint.ts')
        registerDock(docks, basePath)
      },
    },
  }
}
