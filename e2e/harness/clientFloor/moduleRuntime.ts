/**
 * The bundler runtime that React's Flight decoder uses to load the modules of client references.
 * The entry imports this file first, because the decoder reads the runtime when it is evaluated.
 */
import * as counter from '../../fixtures/lostClicks/app/counter.tsx'

const modules: Record<string, unknown> = { counter }

Object.assign(globalThis, {
  __webpack_require__: (id: string) => modules[id],
  __webpack_chunk_load__: () => Promise.resolve(),
})
