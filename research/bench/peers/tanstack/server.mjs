/** Serves the build like the examples of TanStack Start: `node server.mjs PORT`. */
import { serve } from 'srvx'
import { staticMiddleware } from 'srvx/static'
import app from './dist/server/server.js'

serve({
  ...app,
  hostname: '127.0.0.1',
  port: Number(process.argv[2]),
  middleware: [staticMiddleware({ dir: 'dist/client' })],
  silent: true,
})
