import { definePackage, type PackagePlugin } from 'waymark/plugin'

/**
 * Vite plugin of `@waymark/arrivals`, which counts how page loads end in production. In development,
 * nothing is counted, but the devtools panel shows each load.
 */
export function arrivals(): PackagePlugin {
  const commands = {
    arrivals: {
      summary: 'Report how page loads ended',
      module: new URL('./command/arrivalsCommand.js', import.meta.url),
    },
  }
  return definePackage('@waymark/arrivals', ({ command }) =>
    command === 'serve'
      ? { commands }
      : {
          commands,
          server: {
            module: new URL('./server/endpoint.js', import.meta.url),
            name: 'countArrivals',
          },
          client: {
            onEvent: {
              module: new URL('./client/countLoads.js', import.meta.url),
              name: 'onEvent',
            },
          },
        },
  )
}
