import react from '@vitejs/plugin-react'
import rsc from '@vitejs/plugin-rsc'
import type { PluginOption } from 'vite'
import { devPlugin } from './devPlugin.ts'
import { entries, environmentsPlugin } from './environmentsPlugin.ts'
import { type ResolvedOptions, resolveOptions, type WaymarkOptions } from './options.ts'
import { routesPlugin } from './routesPlugin.ts'

/**
 * The Vite plugin: turns the `app/` folder of a project into an application.
 * @param options all optional
 */
export function waymark(options: WaymarkOptions = {}): PluginOption[] {
  let resolved: ResolvedOptions | undefined
  const read = () => {
    if (!resolved) throw new Error('The options are read before Vite has told the root.')
    return resolved
  }
  return [
    {
      name: 'waymark',
      enforce: 'pre',
      config: {
        order: 'pre',
        handler(config) {
          resolved = resolveOptions(config.root ?? process.cwd(), options)
        },
      },
    },
    environmentsPlugin(read),
    routesPlugin(read),
    rsc({ entries, serverHandler: false }),
    react(),
    devPlugin(),
  ]
}
