/**
 * The bundler's runtime that Flight's decoder expects: a way to load the modules of client references.
 * The decoder reads it while it is evaluated, so the entry imports this file first.
 */
import * as counter from '../../fixtures/lostClicks/app/counter.tsx'

const modules: Record<string, unknown> = { counter }

Object.assign(globalThis, {
  __webpack_require__: (id: string) => modules[id],
  __webpack_chunk_load__: () => Promise.resolve(),
})
