/**
 * The bundler runtime that Flight's decoder expects, which loads the modules of client references.
 * The decoder reads it during its evaluation, so the entry imports this file first.
 */
import * as counter from '../../fixtures/lostClicks/app/counter.tsx'

const modules: Record<string, unknown> = { counter }

Object.assign(globalThis, {
  __webpack_require__: (id: string) => modules[id],
  __webpack_chunk_load__: () => Promise.resolve(),
})
