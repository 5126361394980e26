/**
 * What Flight's decoder expects of a bundler's runtime: a way to load the modules of client
 * references. It must be there before the decoder is evaluated, so it is imported first.
 */
import * as counter from '../pages/counter.tsx'

const modules: Record<string, unknown> = { counter }

Object.assign(globalThis, {
  __webpack_require__: (id: string) => modules[id],
  __webpack_chunk_load__: () => Promise.resolve(),
})
