import * as reactDom from 'react-dom'
import { guardedHint } from './guard.ts'

/**
 * The `react-dom` that server components of an app and its packages import. React sends a resource hint as soon as code
 * calls `preload()`, for example. In this version, hints wait until the layouts around the caller have let the request
 * pass. Hints from a layout wait for that layout, too.
 */
const guardedReactDom = {
  preconnect: guardedHint(reactDom.preconnect),
  prefetchDNS: guardedHint(reactDom.prefetchDNS),
  preinit: guardedHint(reactDom.preinit),
  preinitModule: guardedHint(reactDom.preinitModule),
  preload: guardedHint(reactDom.preload),
  preloadModule: guardedHint(reactDom.preloadModule),
  version: reactDom.version,
}

export default guardedReactDom
export const { preconnect, prefetchDNS, preinit, preinitModule, preload, preloadModule, version } =
  guardedReactDom
