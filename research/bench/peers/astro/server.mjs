/** Serves the build of the standalone adapter: `node server.mjs PORT`. */
process.env.HOST = '127.0.0.1'
process.env.PORT = process.argv[2]
await import('./dist/server/entry.mjs')
