// npm install vite@8.3.8
// node vite-runnable-environment.mjs
import * as vite from 'vite'

console.log('DevEnvironment:', typeof vite.DevEnvironment)
console.log('RunnableDevEnvironment:', typeof vite.RunnableDevEnvironment)

// Only `DevEnvironment` can be extended, and its instances are not runnable.
class LoggingEnvironment extends vite.DevEnvironment {
  fetchModule(...args) {
    console.log('fetching', args[0])
    return super.fetchModule(...args)
  }
}
const server = await vite.createServer({
  configFile: false,
  server: { ws: false, middlewareMode: true },
  environments: {
    custom: {
      dev: {
        createEnvironment: (name, config) =>
          new LoggingEnvironment(name, config, {
            hot: true,
            transport: vite.createServerHotChannel(),
          }),
      },
    },
  },
})
const isRunnable = vite.isRunnableDevEnvironment(server.environments.custom)
console.log('an environment of that class is runnable:', isRunnable)
await server.close()
process.exit(isRunnable ? 0 : 1)
