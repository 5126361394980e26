/** The `react-server` half of the floors: the pages as elements, and Flight's renderers. */
import { ItemsPage } from '../pages/items.tsx'
import { Layout } from '../pages/layout.tsx'
import { SmallPage } from '../pages/small.tsx'
import { StaticPage } from '../pages/static.tsx'

export {
  renderToPipeableStream,
  renderToReadableStream,
} from '@vitejs/plugin-rsc/vendor/react-server-dom/server.node'

/** Maps ids of client references to their form in the payload. `build.mjs` writes the ids. */
export const clientManifest = {
  'counter#Counter': { id: 'counter', chunks: [], name: 'Counter', async: false },
}

/** Returns a whole page as an element whose server components were not called yet. */
export function pageElement(name: string, query: string) {
  const searchParams = Promise.resolve({ q: query })
  return <Layout>{content(name, searchParams)}</Layout>
}

function content(name: string, searchParams: Promise<{ q: string }>) {
  switch (name) {
    case 'small':
      return <SmallPage searchParams={searchParams} />
    case 'items':
      return <ItemsPage searchParams={searchParams} />
    default:
      return <StaticPage />
  }
}
