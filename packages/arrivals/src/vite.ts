import { definePackage, type PackagePlugin } from 'waymark/plugin'

/**
 * The Vite plugin of `@waymark/arrivals`: counts how each load of a page ends in production. In
 * development the panel shows each load, and nothing is counted.
 */
export function arrivals(): PackagePlugin {
  const commands = {
    arrivals: {
      summary: 'Tell how the loads of pages ended',
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
