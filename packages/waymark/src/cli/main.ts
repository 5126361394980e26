import { enableCompileCache } from './compileCache.ts'

enableCompileCache()

// Makes Vite's bundler allocate memory on demand, which halves a build's memory use. The bundler
// reads these variables when it loads. Values in the environment take precedence.
process.env.MIMALLOC_ARENA_EAGER_COMMIT ??= '0'
process.env.MIMALLOC_PURGE_DELAY ??= '0'

const { run } = await import('./runCommand.ts')
process.exitCode = await run(process.argv.slice(2))
