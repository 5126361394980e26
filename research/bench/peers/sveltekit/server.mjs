/** Serves the build like adapter-node: `node server.mjs PORT`. */
process.env.HOST = '127.0.0.1'
process.env.PORT = process.argv[2]
await import('./build/index.js')
