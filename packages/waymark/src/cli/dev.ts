import { createServer } from 'vite'
import { waymark } from '../vite/plugin.ts'
import type { CommandOptions } from './run.ts'

/** Serves the app for development. */
export async function dev(options: CommandOptions): Promise<number> {
  const server = await createServer({
    root: options.root,
    configFile: false,
    plugins: [waymark()],
    server: { port: options.port, strictPort: true },
  })
  await server.listen()
  console.log(`Waymark dev on http://localhost:${options.port}`)
  return new Promise(() => {})
}
