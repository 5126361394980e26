// npm install vite@8.3.8 @vitejs/plugin-rsc@0.5.38 react@19.3.1 react-dom@19.3.1
// node --expose-gc plugin-rsc-dev-references.mjs
import { AsyncLocalStorage } from 'node:async_hooks'
import { setRequireModule } from '@vitejs/plugin-rsc/core/ssr'

const currentRequest = new AsyncLocalStorage()
let released = 0
const registry = new FinalizationRegistry(() => released++)
setRequireModule({ load: async (id) => ({ id }) })

const requests = 1_000
for (let index = 0; index < requests; index++) {
  const request = { body: new Uint8Array(10_000) }
  registry.register(request)
  // In development, createClientManifest() gives each render another tag, so each id is used once.
  const id = `/button.tsx$$cache=${Math.random().toString(36).slice(2)}`
  await currentRequest.run(request, () => globalThis.__vite_rsc_require__(id))
}
for (let round = 0; round < 5; round++) {
  await new Promise((resolve) => setTimeout(resolve, 20))
  globalThis.gc()
}
console.log(`of ${requests} requests, ${released} were released`)
process.exit(released < requests - 10 ? 1 : 0)
