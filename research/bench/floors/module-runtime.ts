/**
 * The bundler runtime that Flight's decoder expects, which loads the modules of client references. It
 * must exist before the decoder is evaluated, so it is imported first.
 */
import * as counter from '../pages/counter.tsx'

const modules: Record<string, unknown> = { counter }

Object.assign(globalThis, {
  __webpack_require__: (id: string) => modules[id],
  __webpack_chunk_load__: () => Promise.resolve(),
})
