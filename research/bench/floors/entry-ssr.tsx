/** The HTML half of the floors: Flight's decoder, Fizz's renderers, and the pages without Flight. */
import './module-runtime.ts'
import type { ReactNode } from 'react'
import { ItemsContent } from '../pages/items.tsx'
import { Layout } from '../pages/layout.tsx'
import { SmallContent } from '../pages/small.tsx'
import { StaticPage } from '../pages/static.tsx'

export {
  createFromNodeStream,
  createFromReadableStream,
} from '@vitejs/plugin-rsc/vendor/react-server-dom/client.node'
export { createElement, use } from 'react'
export { renderToPipeableStream as renderToText } from 'react-dom/server.bun'
export { renderToPipeableStream, renderToReadableStream } from 'react-dom/server.node'

/** The manifest for the decoder, which uses the ids in the payload unchanged. */
export const consumerManifest = { moduleMap: null, serverModuleMap: null, moduleLoading: null }

/** The same pages for Fizz alone, without Flight and `async`. */
export function plainElement(name: string, query: string): ReactNode {
  return <Layout>{content(name, query)}</Layout>
}

function content(name: string, query: string) {
  switch (name) {
    case 'small':
      return <SmallContent query={query} />
    case 'items':
      return <ItemsContent query={query} />
    default:
      return <StaticPage />
  }
}
