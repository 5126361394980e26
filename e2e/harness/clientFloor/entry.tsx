/** The minimal entry of an interactive page: Flight's decoder and `hydrateRoot`. */
import './moduleRuntime.ts'
import { createFromReadableStream } from '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser'
import { use } from 'react'
import { hydrateRoot } from 'react-dom/client'

const inlined = document.querySelector('script[type="text/x-component"]')?.textContent ?? ''
const payload = createFromReadableStream(new Blob([inlined]).stream())

function Root() {
  return use(payload)
}

hydrateRoot(document, <Root />)
