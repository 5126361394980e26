import { AsyncLocalStorage } from 'node:async_hooks'
import assetsManifest from 'virtual:vite-rsc/assets-manifest'
import assets from 'virtual:waymark/client-assets'

/** URLs of the files of the browser's code, by client reference. */
type ClientUrls = typeof assetsManifest & Pick<typeof assets, 'app'>

const wholeApp: ClientUrls = { ...assetsManifest, app: assets.app }

const currentVariant = new AsyncLocalStorage<ClientUrls>()

/**
 * Renders a document that loads the code of a variant.
 *
 * @param variant `null` if the app has no variants
 */
export function runWithVariant<T>(variant: string | null, render: () => T): T {
  const urls = variant === null ? undefined : assets.variants?.[variant]
  return urls ? currentVariant.run(urls, render) : render()
}

/** Returns the URLs for the document that is being rendered. */
export function clientUrls(): ClientUrls {
  // A render asks for each client component that it shows, and most apps have no variants.
  if (!assets.variants) return wholeApp
  return currentVariant.getStore() ?? wholeApp
}
