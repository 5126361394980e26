/** The least a browser needs for an interactive page: Flight's decoder and `hydrateRoot`. */
import { createFromReadableStream } from '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser'
import { use } from 'react'
import { hydrateRoot } from 'react-dom/client'
import * as counter from '../pages/counter.tsx'

const modules: Record<string, unknown> = { counter }
Object.assign(globalThis, {
  __webpack_require__: (id: string) => modules[id],
  __webpack_chunk_load__: () => Promise.resolve(),
})

const inlined = document.querySelector('script[type="text/x-component"]')?.textContent ?? ''
const payload = createFromReadableStream(new Blob([inlined]).stream())

function Root() {
  return use(payload)
}

hydrateRoot(document, <Root />)
